// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "window/window_meter.hpp"

namespace allocgate {

/// The meter of this program's loops, told of them by the wrapped functions of benchmark::State. It measures nothing
/// until it is started, and exists before any constructor runs.
WindowMeter& loop_meter();

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/loop_meter.hpp"

namespace allocgate {

WindowMeter& loop_meter() {
  static constinit WindowMeter meter;
  return meter;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>

namespace allocgate {

/// Whether a process of that id exists now, whoever it belongs to; one that is dead and not yet waited for counts too.
bool is_alive(std::int64_t pid);

}  // namespace allocgate

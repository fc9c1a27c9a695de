// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>

namespace allocgate {

/// Whether the environment asks for a listing or for the windows of one workload (allocgate/suite_protocol.h).
bool protocol_is_asked_for();

/// Does what it asks for, in place of running the benchmarks that the program chose. Returns how many workloads ran,
/// once; a listing, and a request that cannot be served (said on standard error), end the process. On the main thread.
std::size_t run_by_protocol();

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"
#include "workloads/common/package_version.hpp"

#include <event2/event.h>

#include <algorithm>
#include <string>
#include <utility>

namespace allocgate::suite {

/// What every workload over libevent says of itself.
inline WorkloadDescription libevent_row(std::string exercises) {
  std::string version = event_get_version();  // as 2.1.12-stable
  version.resize(std::min(version.find('-'), version.size()));
  return exact("libevent", package_version({"libevent-2.1-7", "libevent-2.1-7t64"}, version), std::move(exercises));
}

}  // namespace allocgate::suite

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"
#include "workloads/common/package_version.hpp"

#include <uv.h>

#include <string>
#include <utility>

namespace allocgate::suite {

/// What every workload over libuv says of itself.
inline WorkloadDescription uv_row(std::string exercises) {
  return exact("uv", package_version({"libuv1", "libuv1t64"}, uv_version_string()), std::move(exercises));
}

}  // namespace allocgate::suite

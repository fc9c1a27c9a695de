// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"

#include <asio/version.hpp>

#include <string>
#include <utility>

namespace allocgate::suite {

/// What every workload over standalone Asio says of itself. Asio is headers only, so the version it was built with is
/// the one that runs.
inline WorkloadDescription asio_row(std::string exercises) {
  constexpr int k_major = ASIO_VERSION / 100000;
  constexpr int k_minor = ASIO_VERSION / 100 % 1000;
  constexpr int k_patch = ASIO_VERSION % 100;
  return exact("asio", std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch),
               std::move(exercises));
}

}  // namespace allocgate::suite

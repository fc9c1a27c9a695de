// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"

#include <boost/version.hpp>

#include <string>
#include <utility>
#include <vector>

namespace allocgate::suite {

/// What every workload over Boost.Beast and Boost.Asio says of itself. They are headers only, so the version they were
/// built with is the one that runs.
inline WorkloadDescription beast_row(std::string exercises) {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  return exact("beast", std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch),
               std::move(exercises));
}

/// The layers of 1000 requests: either end writes 1000 messages and reads 1000, over `core`.
inline std::vector<WorkloadLayer> both_ends_over(std::string core) {
  return {
      {"codec", "beast/http1_parse_1000", 2}, {"codec", "beast/http1_serialize_1000", 2}, {"core", std::move(core)}};
}

}  // namespace allocgate::suite

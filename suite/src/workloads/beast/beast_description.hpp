// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"

#include <boost/version.hpp>

#include <string>
#include <utility>

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

}  // namespace allocgate::suite

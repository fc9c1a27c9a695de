// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <allocgate/benchmark.hpp>

#include <asio/version.hpp>

#include <string>
#include <utility>

namespace allocgate::suite {

/// What every workload over standalone Asio says of itself: one iteration is a whole run, on one thread, exact.
inline WorkloadDescription asio_description(std::string exercises) {
  constexpr int k_major = ASIO_VERSION / 100000;
  constexpr int k_minor = ASIO_VERSION / 100 % 1000;
  constexpr int k_patch = ASIO_VERSION % 100;
  return {.core = "asio",
          .core_version = std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch),
          .exercises = std::move(exercises),
          .iterations = 1,
          .threads = 1,
          .gate = WorkloadGate::exact};
}

}  // namespace allocgate::suite

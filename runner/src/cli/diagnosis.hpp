// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace allocgate {

/// One thing that `doctor` looked at.
struct Finding {
  enum class State {
    ok,
    missing,  // something that allocgate cannot count without
    absent,   // something that it does without
  };

  std::string subject;
  State state = State::ok;
  std::string sentence;  // what is there, or what to install or do
};

/// Looks at everything, in the order in which it depends on one another. Starts programs; nothing is left behind.
/// Throws Error (130) when interrupted.
std::vector<Finding> diagnose(const Installation& installation, const std::filesystem::path& baselines,
                              Launcher& launcher);

/// Makes exactly `allocations` requests for memory of its own, and releases them: the program of known count.
void make_known_allocations(std::uint64_t allocations);

}  // namespace allocgate

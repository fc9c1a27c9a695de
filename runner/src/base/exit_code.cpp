// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/exit_code.hpp"

#include <algorithm>
#include <array>

namespace allocgate {

namespace {

// Gravest first: what interrupts or breaks the command itself, then the findings in the order that DESIGN fixes.
constexpr std::array k_by_gravity = {
    ExitCode::interrupted,
    ExitCode::internal_error,
    ExitCode::usage,
    ExitCode::unreadable_input,
    ExitCode::stop_bisect,
    ExitCode::stat_not_found,
    ExitCode::stat_not_executable,
    ExitCode::stat_not_measured,
    ExitCode::regression,
    ExitCode::not_measured,
    ExitCode::blind,
    ExitCode::not_comparable,
    ExitCode::no_baseline,
    ExitCode::improvement,
    ExitCode::fine,
};

}  // namespace

ExitCode worse_of(ExitCode left, ExitCode right) {
  return std::find(k_by_gravity.begin(), k_by_gravity.end(), left) <=
                 std::find(k_by_gravity.begin(), k_by_gravity.end(), right)
             ? left
             : right;
}

int bisect_status(ExitCode code) {
  constexpr int k_bad = 1;
  constexpr int k_pass_over = 125;
  switch (code) {
    case ExitCode::fine:
    case ExitCode::interrupted:
      return static_cast<int>(code);
    case ExitCode::regression:
    case ExitCode::improvement:
      return k_bad;
    case ExitCode::not_measured:
      return k_pass_over;
    default:
      return static_cast<int>(ExitCode::stop_bisect);
  }
}

ExitCode combine(std::initializer_list<ExitCode> codes) {
  ExitCode worst = ExitCode::fine;
  for (const ExitCode code : codes) {
    worst = worse_of(worst, code);
  }
  return worst;
}

}  // namespace allocgate

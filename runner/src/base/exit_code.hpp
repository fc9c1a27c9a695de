// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <initializer_list>

namespace allocgate {

/// What the command's exit status says. The numbers are a contract with people's CI scripts: they never change.
enum class ExitCode : int {
  fine = 0,
  internal_error = 1,
  regression = 2,    // or a leak
  not_measured = 3,  // a workload failed, or is unstable where exactness was declared
  improvement = 4,   // only with --on-improvement fail
  no_baseline = 5,
  blind = 6,
  not_comparable = 7,
  usage = 64,
  unreadable_input = 65,
  stat_not_measured = 125,
  stat_not_executable = 126,
  stat_not_found = 127,
  stop_bisect = 129,
  interrupted = 130,
};

/// What `git bisect run` is told: 0 good, 1 bad (a regression, or an improvement that was made a failure), 125 to pass
/// over a commit that could not be measured, 129 for whatever must stop the search, because git takes any code from 1
/// to 124 for a bad commit; an interrupt stays what it is, which stops it too.
int bisect_status(ExitCode code);

/// The one code of several findings at once: 2 over 3 over 6 over 7 over 5 over 4 over 0.
ExitCode combine(std::initializer_list<ExitCode> codes);
ExitCode worse_of(ExitCode left, ExitCode right);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>

namespace allocgate {

/// A promise to mend something by a date: until then its red verdicts are shown and do not fail the check.
struct Waiver {
  std::string workload;  // a name, or a glob
  std::string measure;   // empty: every measure, and the workload's own verdicts (failed, missing ...)
  std::string until;     // the last day on which it holds, YYYY-MM-DD
  std::string who;
  std::string why;
};

}  // namespace allocgate

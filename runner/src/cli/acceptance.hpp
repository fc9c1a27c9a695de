// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/exit_code.hpp"
#include "compare/make_baseline.hpp"
#include "model/result.hpp"

#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// What somebody accepts by name, WORKLOAD or WORKLOAD:MEASURE: each list for one kind of refusal and no other.
struct Acceptances {
  std::vector<std::string> leak;
  std::vector<std::string> blind;
  std::vector<std::string> unstable;
};

/// What a refusal is to scripts: 2 a leak, 6 blind or not measured any more, 7 at other iterations, 3 failed or
/// unstable.
ExitCode code_of(const BaselineRefusal& refusal);

/// The option that accepts it: "--accept-leak a:live_allocations"; empty for what cannot be accepted.
std::string option_that_accepts(const BaselineRefusal& refusal);

/// make_baseline() where only what the right list names is taken over. Pure.
MadeBaseline make_accepted_baseline(const std::optional<Baseline>& existing, const Result& result,
                                    const std::string& suite, const std::string& reason, const std::string& commit,
                                    const std::string& time, MakeBaselineOptions options,
                                    const Acceptances& acceptances);

}  // namespace allocgate

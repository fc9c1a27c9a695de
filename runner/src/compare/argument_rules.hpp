// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/argument_rule.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// Holds every family to what its workloads, or `rules`, state: that a measure does not depend on an argument. It is
/// one verdict a family: `unchanged`; `regression`, exit 2, naming the values between which it changes; `unstable`
/// where the values are not exact or cannot be compared. A statement about an argument that no name has is `failed`,
/// because it would guard nothing. With one value of the argument there is nothing to hold it to, which is a note.
/// Pure.
std::vector<Verdict> judge_argument_rules(const Result& result, std::span<const ArgumentRule> rules,
                                          std::vector<std::string>& notes);

}  // namespace allocgate

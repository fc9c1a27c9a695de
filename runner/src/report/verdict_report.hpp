// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/verdict.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace allocgate {

/// Gives the command lines for a verdict: only the command knows with which options it was called.
using StepsFor = std::function<NextSteps(const Verdict&)>;

/// A judgement for people: one row for each workload that is unchanged, one for each series that is not; then each red
/// verdict with its reason, its rule and three command lines; last the verdict in words and the exit code.
std::string verdict_report(const Judgement& judgement, const StepsFor& steps_for, const Style& style,
                           std::size_t width);

/// The same as markdown.
std::string verdict_markdown(const Judgement& judgement, const StepsFor& steps_for);

/// The same without its headline.
std::string verdict_markdown_body(const Judgement& judgement, const StepsFor& steps_for);

/// "regression: 1 regression, 5 workloads unchanged; exit code 2".
std::string verdict_in_words(const Judgement& judgement);

}  // namespace allocgate

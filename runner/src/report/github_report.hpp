// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/verdict.hpp"
#include "report/verdict_report.hpp"

#include <cstddef>
#include <string>
#include <string_view>

// What GitHub Actions shows: annotations, which are lines on standard output, and a step summary, which is markdown in
// a file. Each has limits beyond which GitHub drops things without a word; here they are kept, and said.
namespace allocgate {

/// A step summary may hold this much; a larger one is not shown at all.
constexpr std::size_t k_github_summary_bytes = 1024 * 1024;

/// One line a verdict that has something to say, the gravest first: errors for red ones, warnings for what is not
/// judged although it looks guarded, notices for improvements. At most ten of each level, of which the last says how
/// many more there are.
std::string github_annotations(const Judgement& judgement);

/// The judgement as markdown in at most `budget` bytes: workloads in the order of their gravity, as many as fit, and
/// how many did not. Empty when not even that fits.
std::string github_summary(const Judgement& judgement, const StepsFor& steps_for, std::size_t budget);

/// `markdown`, whole lines of it, in at most `budget` bytes, with a last line that says what was cut off.
std::string cut_to_lines(std::string_view markdown, std::size_t budget);

/// `text` as the message of a workflow command, or as one of its properties.
std::string github_message(std::string_view text);
std::string github_property(std::string_view text);

}  // namespace allocgate

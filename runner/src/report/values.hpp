// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measured_value.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <string>
#include <string_view>
#include <vector>

// The pieces of text that several reports share. Pure functions; any thread.
namespace allocgate {

/// The names of the measures of `workload`: ours in display order, then the program's own by name.
std::vector<std::string> measures_in_order(const WorkloadResult& workload);

/// What repeats: "20.02" where the series is linear, else the total at the workload's iterations, "75 001 total".
std::string repeating_text(const Series& series);

/// What happens once, with its sign: "+1"; nothing where it is 0 or unknown.
std::string once_text(const Series& series);

/// A value before or after in a verdict: per iteration where a slope is known, else the total.
std::string verdict_value_text(const std::optional<Count>& value, const std::optional<Slope>& slope);

/// What changed between the two, with its sign, in the same terms; nothing where one side is missing.
std::string verdict_difference_text(const Verdict& verdict);

/// A value of one place: "3 per iteration + 1 once" where it is on a line, else the total.
std::string measured_text(const MeasuredValue& value);

/// The same for a narrow column: "3", "3 +1", "1 234 total".
std::string short_measured_text(const MeasuredValue& value);

/// From one place to another, with signs: "+1 per iteration", "+2 once", "+1 per iteration, -4 once"; where a side is
/// on no line, the difference of the totals.
std::string measured_change_text(const MeasuredValue& before, const MeasuredValue& after);

/// "src/parse.cpp:12 in parse(std::string const&)".
std::string place_text(const SourcePlace& place);

/// Why something was not built or measured, in one line: of what the build printed the first line with an error, else
/// the last; the sentence itself where it printed nothing.
std::string telling_line(const std::string& reason);

/// "1 workload", "2 workloads".
std::string counted(std::size_t number, std::string_view singular);

/// `text` with each line after `indent` spaces, control characters made visible, ending with a newline.
std::string indented_lines(std::string_view text, std::size_t indent);

/// `report` and after an empty line `part`, which may be empty.
std::string with_part(const std::string& report, const std::string& part);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/bisection_report.hpp"

#include "base/text.hpp"
#include "model/wide.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_short_digits = 10;
constexpr std::size_t k_date_size = 10;  // of RFC 3339: the day
constexpr std::size_t k_indent = 4;

bool of_commits(const Bisection& bisection) {
  return bisection.axis == BisectionAxis::commits;
}

std::string short_name(const Bisection& bisection, const std::string& name) {
  return of_commits(bisection) ? name.substr(0, k_short_digits) : name;
}

std::string named(const Bisection& bisection, const AxisPoint& point) {
  return fmt::format("{} \"{}\"", short_name(bisection, point.name), point.subject);
}

std::string counted_points(const Bisection& bisection, std::size_t number) {
  return counted(number, of_commits(bisection) ? "commit" : "toolchain");
}

std::string headline(const Bisection& bisection) {
  return fmt::format("{}: {} from {} to {}, over {}", bisection.workload, bisection.measure,
                     measured_text(bisection.good_value), measured_text(bisection.bad_value),
                     counted_points(bisection, bisection.points));
}

TextTable table_of(const Bisection& bisection) {
  TextTable table({{"change", Align::left},
                   {"from", Align::left},
                   {"to", Align::left},
                   {of_commits(bisection) ? "commit" : "toolchain", Align::left},
                   {of_commits(bisection) ? "date" : "", Align::left},
                   {of_commits(bisection) ? "subject" : "variables", Align::left, true}});
  for (const BisectionStep& step : bisection.steps) {
    table.add_row({{measured_change_text(step.before, step.after), step.delta > 0 ? Paint::bad : Paint::good},
                   {measured_text(step.before)},
                   {measured_text(step.after)},
                   {short_name(bisection, step.point.name), Paint::strong},
                   {step.point.date.substr(0, k_date_size)},
                   {step.point.subject}});
  }
  return table;
}

/// What the table has no column for, a sentence each.
std::vector<std::string> remarks_of(const Bisection& bisection) {
  std::vector<std::string> remarks;
  for (const BisectionStep& step : bisection.steps) {
    const std::string name = short_name(bisection, step.point.name);
    if (!step.merged_by.empty()) {
      remarks.push_back(fmt::format("{} came with the merge {}", name, short_name(bisection, step.merged_by)));
    }
    if (!step.note.empty()) {
      remarks.push_back(fmt::format("{} is {}", name, step.note));
    }
    if (!step.skipped.empty()) {
      remarks.push_back(fmt::format("{} or one of the {} before it, from {} on: they could not be measured", name,
                                    counted_points(bisection, step.skipped.size()),
                                    named(bisection, step.skipped.front().point)));
    }
  }
  remarks.insert(remarks.end(), bisection.notes.begin(), bisection.notes.end());
  return remarks;
}

/// Whether the steps are all of what lies between the ends.
std::string sum_of(const Bisection& bisection) {
  Wide sum = 0;
  for (const BisectionStep& step : bisection.steps) {
    sum += step.delta;
  }
  const Wide whole = static_cast<Wide>(bisection.bad_value.value) - bisection.good_value.value;
  const std::string between = measured_change_text(bisection.good_value, bisection.bad_value);
  if (bisection.steps.empty()) {
    return whole == 0 ? "Nothing changed between the ends; steps that cancel would show with --grid."
                      : fmt::format("The ends differ by {}, and no {} by more than is allowed.", between,
                                    of_commits(bisection) ? "commit" : "toolchain");
  }
  if (bisection.first_only) {
    return fmt::format("The first of them; from good to bad it is {} in all.", between);
  }
  if (sum == whole) {
    return fmt::format("Together {}: all that lies between the ends.", between);
  }
  return fmt::format("Together {} of {} in all; the rest came in parts that are allowed.",
                     grouped_with_sign(to_count(sum).value_or(0)), grouped_with_sign(to_count(whole).value_or(0)));
}

std::string costs_of(const Bisection& bisection) {
  std::string text = fmt::format("{} measured, {}, {} remembered", counted_points(bisection, bisection.measured),
                                 counted(bisection.builds, "build"), grouped_unsigned(bisection.remembered));
  if (!bisection.skipped.empty()) {
    text += fmt::format("; {} could not be measured", grouped_unsigned(bisection.skipped.size()));
  }
  return text;
}

}  // namespace

std::string bisection_report(const Bisection& bisection, const Style& style, std::size_t width) {
  std::string text = fmt::format("{}\n  good  {}\n  bad   {}\n\n", style.painted(headline(bisection), Paint::strong),
                                 named(bisection, bisection.good), named(bisection, bisection.bad));
  if (!bisection.steps.empty()) {
    text += table_of(bisection).text(width, style) + "\n";
  }
  for (const std::string& remark : remarks_of(bisection)) {
    text += wrapped(remark + ".", 2, width, 0);
  }
  for (const BisectionStep& step : bisection.steps) {
    if (!step.stacks.empty()) {
      text += fmt::format("\n{}\n{}", named(bisection, step.point), indented_lines(step.stacks, k_indent));
    }
  }
  text += fmt::format("{}\n{}\n", sum_of(bisection), style.painted(costs_of(bisection), Paint::faint));
  for (const SkippedPoint& skipped : bisection.skipped) {
    text += indented_lines(fmt::format("{}: {}", named(bisection, skipped.point), telling_line(skipped.reason)), 2);
  }
  return text;
}

std::string bisection_markdown(const Bisection& bisection) {
  std::string text = fmt::format("**{}**\n\n", headline(bisection));
  if (!bisection.steps.empty()) {
    text += table_of(bisection).markdown() + "\n";
  }
  for (const std::string& remark : remarks_of(bisection)) {
    text += fmt::format("- {}.\n", remark);
  }
  text += fmt::format("\n{} {}.\n", sum_of(bisection), costs_of(bisection));
  for (const BisectionStep& step : bisection.steps) {
    if (!step.stacks.empty()) {
      text += fmt::format("\n{}\n\n```\n{}```\n", named(bisection, step.point), step.stacks);
    }
  }
  return text;
}

}  // namespace allocgate

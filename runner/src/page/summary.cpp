// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "page/summary.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "page/page_parts.hpp"
#include "stacks/changed_place.hpp"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace allocgate {

namespace {

/// With a glyph and a sign: "▲ +12", "▼ -3", "0". The spaces that group digits must not break a line.
std::string number_text(const Slope& value) {
  std::string text;
  for (const char character : exact_text(value)) {
    text += character == ' ' ? std::string("\u00A0") : std::string(1, character);
  }
  return text;
}

std::string change_text(const Slope& delta) {
  return delta.count > 0   ? "▲\u00A0+" + number_text(delta)
         : delta.count < 0 ? "▼\u00A0" + number_text(delta)
                           : number_text(delta);
}

std::string_view change_class(const Slope& delta) {
  return delta.count > 0 ? "grew" : delta.count < 0 ? "shrank" : "same";
}

std::string file_line(std::string_view role, const std::string& name, const Recording& recording) {
  std::string text = fmt::format("<div><dt>{}</dt><dd><strong>{}</strong>", role, html_escaped(name));
  if (!recording.command.empty()) {
    text += fmt::format(" <span class=\"muted\">of</span> <code>{}</code>", html_escaped(recording.command));
  }
  if (recording.iterations) {
    text += fmt::format(" <span class=\"muted\">{} iteration{}</span>", grouped_unsigned(*recording.iterations),
                        *recording.iterations == 1 ? "" : "s");
  }
  return text + "</dd></div>\n";
}

/// A row for each measure that both files have, the compared one first.
std::string totals_table(const StackDiff& diff, bool is_difference) {
  std::string rows;
  const auto add_row = [&](std::size_t measure) {
    const Both& total = diff.totals()[measure];
    const Slope delta = diff.delta(total);
    rows += fmt::format("<tr><th scope=\"row\">{}</th>", html_escaped(diff.measures()[measure].name));
    if (is_difference) {
      rows += fmt::format("<td>{}</td>", number_text(diff.before(total)));
    }
    rows += fmt::format("<td>{}</td>", number_text(diff.after(total)));
    if (is_difference) {
      rows += fmt::format("<td class=\"{}\">{}</td>", change_class(delta), change_text(delta));
    }
    rows += "</tr>\n";
  };
  add_row(diff.measure());
  for (std::size_t measure = 0; measure < diff.measures().size(); ++measure) {
    if (measure != diff.measure() && diff.measures()[measure].is_in_both()) {
      add_row(measure);
    }
  }
  return fmt::format(
      "<table class=\"totals\"><caption>Totals{}</caption>\n<thead><tr><th scope=\"col\">measure</th>{}</tr></thead>\n"
      "<tbody>\n{}</tbody></table>\n",
      diff.is_per_iteration() ? ", per iteration" : "",
      is_difference ? "<th scope=\"col\">before</th><th scope=\"col\">after</th><th scope=\"col\">difference</th>"
                    : "<th scope=\"col\">value</th>",
      rows);
}

std::string list_line(const StackDiff& diff, std::string_view title, const StackDiff::Rows& rows) {
  Both sum;
  for (const std::size_t row : rows) {
    sum.before += diff.values(row, diff.measure()).before;
    sum.after += diff.values(row, diff.measure()).after;
  }
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td class=\"{}\">{}</td></tr>\n", title,
                     grouped_unsigned(rows.size()), change_class(diff.delta(sum)), change_text(diff.delta(sum)));
}

std::string lists_table(const StackDiff& diff) {
  std::string rows = list_line(diff, "only in after", diff.only_in_after()) +
                     list_line(diff, "only in before", diff.only_in_before()) +
                     list_line(diff, "changed", diff.changed()) +
                     list_line(diff, "paired: the same under other names", diff.paired());
  if (diff.hidden().stacks != 0) {
    const Slope hidden = diff.delta(diff.hidden().values[diff.measure()]);
    rows += fmt::format(
        "<tr><th scope=\"row\">changed, but not listed on request</th><td>{}</td><td class=\"{}\">{}</td></tr>\n",
        grouped_unsigned(diff.hidden().stacks), change_class(hidden), change_text(hidden));
  }
  rows += fmt::format("<tr><th scope=\"row\">the same</th><td>{}</td><td class=\"same\">0</td></tr>\n",
                      grouped_unsigned(diff.unchanged()));
  return fmt::format(
      "<table class=\"totals\"><caption>Where the difference is, in {}</caption>\n<thead><tr><th "
      "scope=\"col\">list</th>"
      "<th scope=\"col\">rows</th><th scope=\"col\">difference</th></tr></thead>\n<tbody>\n{}</tbody></table>\n",
      html_escaped(diff.measures()[diff.measure()].name), rows);
}

std::string look_first(const StackDiff& diff) {
  const std::optional<SourcePlace> place = changed_place(diff);
  return place ? fmt::format("<p>Look first at <code>{}:{}</code>, in <code>{}</code></p>\n", html_escaped(place->file),
                             place->line, html_escaped(place->function))
               : std::string();
}

std::string notes_list(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) {
    text += fmt::format("<li>{}</li>\n", html_escaped(note));
  }
  return text.empty() ? text : fmt::format("<ul class=\"notes\" aria-label=\"Notes\">\n{}</ul>\n", text);
}

}  // namespace

std::string difference_summary(const StackDiff& diff, const Recording& before, const Recording& after,
                               const DiffNames& names) {
  return fmt::format("<dl class=\"files\">\n{}{}</dl>\n<div class=\"columns\">\n{}{}</div>\n{}{}",
                     file_line("before", names.before, before), file_line("after", names.after, after),
                     totals_table(diff, true), lists_table(diff), look_first(diff), notes_list(diff.notes()));
}

std::string recording_summary(const StackDiff& diff, const Recording& recording, const std::string& name) {
  return fmt::format("<dl class=\"files\">\n{}</dl>\n{}{}", file_line("recording", name, recording),
                     totals_table(diff, false), notes_list(recording.notes));
}

}  // namespace allocgate

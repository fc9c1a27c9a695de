// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/stack_documents.hpp"
#include "json/value.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

/// A whole number as one; else the nearest number that JSON has.
std::string number_text(const Slope& value) {
  return value.iterations == 1 ? fmt::format("{}", value.count) : fmt::format("{}", to_number(value));
}

class Writer {
public:
  Writer(const StackDiff& diff, const Recording& before, const Recording& after, const DiffNames& names)
      : m_diff(diff), m_before(before), m_after(after), m_names(names) {}

  std::string write() {
    const DiffMeasure& measure = m_diff.measures()[m_diff.measure()];
    std::string text = fmt::format(
        "{{\n  \"schema\": {},\n  \"before\": {},\n  \"after\": {},\n  \"measure\": {},\n  \"unit\": {},\n"
        "  \"per_iteration\": {},\n  \"total\": {{{}}},\n",
        quoted_json(k_stack_diff_schema), file_text(m_names.before, m_before), file_text(m_names.after, m_after),
        quoted_json(measure.name), quoted_json(measure.unit), m_diff.is_per_iteration(), all_values(m_diff.totals()));
    for (const auto& [name, rows] : {std::pair{"only_in_before", &m_diff.only_in_before()},
                                     {"only_in_after", &m_diff.only_in_after()},
                                     {"changed", &m_diff.changed()},
                                     {"paired", &m_diff.paired()}}) {
      text += fmt::format("  \"{}\": [{}],\n", name, rows_text(*rows));
    }
    if (m_diff.hidden().stacks != 0) {
      text += fmt::format("  \"hidden\": {{\"stacks\": {}, {}}},\n", m_diff.hidden().stacks,
                          all_values(m_diff.hidden().values));
    }
    std::string notes;
    for (const std::string& note : m_diff.notes()) {
      notes += (notes.empty() ? "" : ", ") + quoted_json(note);
    }
    return text + fmt::format("  \"unchanged_stacks\": {},\n  \"notes\": [{}]\n}}\n", m_diff.unchanged(), notes);
  }

private:
  static std::string file_text(const std::string& name, const Recording& recording) {
    std::string text = fmt::format("\"file\": {}", quoted_json(name));
    if (!recording.command.empty()) {
      text += fmt::format(", \"command\": {}", quoted_json(recording.command));
    }
    if (recording.iterations) {
      text += fmt::format(", \"iterations\": {}", *recording.iterations);
    }
    return "{" + text + "}";
  }

  std::string three(const Both& values) const {
    std::string text = fmt::format("\"before\": {}, \"after\": {}, \"delta\": {}", number_text(m_diff.before(values)),
                                   number_text(m_diff.after(values)), number_text(m_diff.delta(values)));
    if (m_diff.is_per_iteration()) {
      text += fmt::format(", \"raw\": {{\"before\": {}, \"after\": {}}}", values.before, values.after);
    }
    return text;
  }

  /// The compared measure, and the others beside it.
  std::string all_values(const std::vector<Both>& values) const {
    std::string others;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i != m_diff.measure() && m_diff.measures()[i].is_in_both()) {
        others += fmt::format("{}{}: {{{}}}", others.empty() ? "" : ", ", quoted_json(m_diff.measures()[i].name),
                              three(values[i]));
      }
    }
    return fmt::format("{}, \"measures\": {{{}}}", three(values[m_diff.measure()]), others);
  }

  const std::string& quoted_name(NameId name) {
    m_quoted.resize(std::max<std::size_t>(m_quoted.size(), name + 1));
    if (m_quoted[name].empty()) {
      m_quoted[name] = quoted_json(m_diff.name(name));
    }
    return m_quoted[name];
  }

  std::string frames_text(std::uint32_t stack) {
    std::string text;
    for (const NameId name : m_diff.frames(stack)) {
      text += (text.empty() ? "" : ", ") + quoted_name(name);
    }
    return "[" + text + "]";
  }

  std::string places_text(std::size_t row) const {
    std::string text;
    for (const std::string& place : m_diff.places(row)) {
      text += (text.empty() ? "" : ", ") + quoted_json(place);
    }
    return "[" + text + "]";
  }

  std::string rows_text(const StackDiff::Rows& rows) {
    std::string text;
    for (const std::size_t row : rows) {
      const StackDiff::Row& shown = m_diff.rows()[row];
      std::vector<Both> values;
      for (std::size_t i = 0; i < m_diff.measures().size(); ++i) {
        values.push_back(m_diff.values(row, i));
      }
      text += fmt::format("{}    {{\"frames\": {}, ", text.empty() ? "\n" : ",\n", frames_text(shown.stack));
      if (shown.before_stack != shown.stack) {
        text += fmt::format("\"before_frames\": {}, ", frames_text(shown.before_stack));
      }
      text += fmt::format("{}, \"places\": {}}}", all_values(values), places_text(row));
    }
    return text.empty() ? text : text + "\n  ";
  }

  const StackDiff& m_diff;
  const Recording& m_before;
  const Recording& m_after;
  const DiffNames& m_names;
  std::vector<std::string> m_quoted;
};

}  // namespace

std::string stack_diff_to_json(const StackDiff& diff, const Recording& before, const Recording& after,
                               const DiffNames& names) {
  return Writer(diff, before, after, names).write();
}

}  // namespace allocgate

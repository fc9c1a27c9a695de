// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_diff.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "model/slope.hpp"
#include "stacks/function_name.hpp"
#include "stacks/pairing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace allocgate {

StackDiff::StackDiff(const Recording& before, const Recording& after, const DiffOptions& options)
    : m_before(&before),
      m_after(&after),
      m_by(options.by),
      m_names(std::array<const Recording*, 2>{&before, &after}),
      m_row_of(1, 0) {
  choose_measures(options);
  choose_iterations(options.totals);
  add_side(0, options);
  add_side(1, options);
  if (options.pair && options.by == GroupBy::stack) {
    pair_rows();
  }
  sort_into_lists(options);
  choose_places();
}

void StackDiff::choose_measures(const DiffOptions& options) {
  std::vector<std::string> names;
  for (const Recording* recording : {m_before, m_after}) {
    for (const RecordedMeasure& measure : recording->measures()) {
      if (std::find(names.begin(), names.end(), measure.name) == names.end()) {
        names.push_back(measure.name);
        m_measures.push_back({measure.name, measure.unit, false, false});
      }
    }
  }
  for (const std::size_t side : {0, 1}) {
    for (DiffMeasure& measure : m_measures) {
      m_indices[side].push_back(recording(side).find_measure(measure.name));
      (side == 0 ? measure.missing_in_before : measure.missing_in_after) = !m_indices[side].back();
    }
  }
  choose_measure(options.measure, names);
  std::vector<std::string> left_out;
  for (std::size_t i = 0; i < m_measures.size(); ++i) {
    if (i != m_measure && !m_measures[i].is_in_both()) {
      left_out.push_back(m_measures[i].name);
    }
  }
  if (!left_out.empty()) {
    m_notes.push_back(fmt::format("in one of the files alone, and so not compared: {}", joined(left_out, ", ")));
  }
}

void StackDiff::choose_measure(std::string wanted, std::span<const std::string> names) {
  if (wanted.empty()) {
    // Each file's own first choice: two files of other tools may call the same thing by two names.
    const auto of_before = main_measure(*m_before);
    const auto of_after = main_measure(*m_after);
    if (!of_before || !of_after) {
      throw Error(ExitCode::unreadable_input, "diff: a file has no measure at all; record it again");
    }
    wanted = m_before->measures()[*of_before].name;
    const auto position = std::find_if(m_measures.begin(), m_measures.end(),
                                       [&wanted](const DiffMeasure& measure) { return measure.name == wanted; });
    m_measure = static_cast<std::size_t>(position - m_measures.begin());
    const RecordedMeasure& other = m_after->measures()[*of_after];
    if (other.name != wanted) {
      if (other.unit != m_measures[m_measure].unit) {
        throw Error(
            ExitCode::usage,
            fmt::format("diff: '{}' of the file before and '{}' of the file after are no values of one kind ({} "
                        "and {}); name a measure with --measure: they have {}",
                        wanted, other.name, m_measures[m_measure].unit, other.unit, joined(names, ", ")));
      }
      m_notes.push_back(
          fmt::format("'{}' of the file before is compared with '{}' of the file after", wanted, other.name));
    }
    m_indices[1][m_measure] = of_after;
    m_measures[m_measure].missing_in_after = false;
    return;
  }
  for (const Recording* recording : {m_before, m_after}) {
    if (const auto index = recording->find_measure(wanted)) {
      const std::string& name = recording->measures()[*index].name;
      m_measure = static_cast<std::size_t>(std::find_if(m_measures.begin(), m_measures.end(),
                                                        [&name](const auto& known) { return known.name == name; }) -
                                           m_measures.begin());
      return;
    }
  }
  throw Error(ExitCode::usage, fmt::format("neither file has the measure '{}'{}; they have {}", wanted,
                                           did_you_mean(wanted, names), joined(names, ", ")));
}

void StackDiff::choose_iterations(bool totals) {
  if (!totals && m_before->iterations && m_after->iterations) {
    m_before_iterations = *m_before->iterations;
    m_after_iterations = *m_after->iterations;
  }
  const std::uint64_t before = std::max<std::uint64_t>(1, m_before_iterations);
  const std::uint64_t after = std::max<std::uint64_t>(1, m_after_iterations);
  const std::uint64_t divisor = std::gcd(before, after);
  m_before_factor = after / divisor;
  m_after_factor = before / divisor;
  const UnsignedWide unit = UnsignedWide{before} * (after / divisor);
  constexpr std::uint64_t k_most = std::numeric_limits<Count>::max();
  bool fits = unit <= k_most;
  for (std::size_t i = 0; i < m_measures.size() && fits; ++i) {
    const auto all = [this, i](std::size_t side) -> Wide {
      return m_indices[side][i] ? Wide{recording(side).magnitude_of_all(*m_indices[side][i])} : Wide{0};
    };
    // Every value and every difference of two is a part of this sum.
    fits = all(0) <= Wide{k_most} / m_before_factor && all(1) <= Wide{k_most} / m_after_factor &&
           to_count(all(0) * m_before_factor + all(1) * m_after_factor);
  }
  if (!fits) {
    throw Error(ExitCode::unreadable_input,
                is_per_iteration()
                    ? fmt::format("diff: values over {} and {} iterations do not fit in 64 bits when they are brought "
                                  "to a common number; --totals compares them as they are",
                                  before, after)
                    : std::string("diff: the values are so large that their differences do not fit in 64 bits"));
  }
  m_unit_iterations = static_cast<std::uint64_t>(unit);
}

std::uint32_t StackDiff::merged_child(std::uint32_t caller, NameId name) {
  const std::uint32_t node = m_tree.child(caller, name);
  if (node == m_row_of.size()) {
    m_row_of.push_back(0);
  }
  return node;
}

std::uint32_t StackDiff::merged(std::size_t side, StackId stack, std::vector<std::uint32_t>& known) {
  const Recording& from = recording(side);
  std::vector<StackId> path;
  while (stack != 0 && known[stack] == 0) {
    path.push_back(stack);
    stack = from.caller_of(stack);
  }
  std::uint32_t node = stack == 0 ? 0 : known[stack];
  for (auto step = path.rbegin(); step != path.rend(); ++step) {
    node = merged_child(node, m_names.name_of(side, from.innermost(*step)));
    known[*step] = node;
  }
  return node;
}

std::uint32_t StackDiff::merged_innermost(std::size_t side, StackId stack, std::size_t depth) {
  const Recording& from = recording(side);
  std::vector<FrameId> frames;
  for (; stack != 0 && frames.size() < depth; stack = from.caller_of(stack)) {
    frames.push_back(from.innermost(stack));
  }
  std::uint32_t node = 0;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    node = merged_child(node, m_names.name_of(side, *frame));
  }
  return node;
}

NameId StackDiff::group_of_entry(std::size_t side, std::size_t entry, TextId main_module) {
  const Recording& from = recording(side);
  if (m_by == GroupBy::size_class) {
    return m_names.key(group_of_size(from.entry_size_class(entry)));
  }
  const FrameId frame = allocating_frame(from, from.entry_stack(entry));
  if (m_by == GroupBy::function) {
    return m_names.name_of(side, frame);
  }
  const TextId module = from.frame(frame).module;
  if (m_by == GroupBy::module && module != 0 && module == main_module) {
    return m_names.key("[main executable]");
  }
  // Folders differ between two builds.
  return m_names.key(file_name_of(group_of_frame(from, frame, m_by)));
}

void StackDiff::add_side(std::size_t side, const DiffOptions& options) {
  const Recording& from = recording(side);
  const TextId main_module = main_module_of(from);
  std::vector<std::uint32_t> known(from.stack_count(), 0);
  m_totals.resize(m_measures.size());
  for (std::size_t entry = 0; entry < from.entry_count(); ++entry) {
    const StackId stack = from.entry_stack(entry);
    std::uint32_t node = 0;
    if (stack == 0) {
      node = merged_child(0, m_names.key(k_unknown_group));
    } else if (m_by == GroupBy::stack) {
      node = options.depth == 0 ? merged(side, stack, known) : merged_innermost(side, stack, options.depth);
    } else {
      node = merged_child(0, group_of_entry(side, entry, main_module));
    }
    if (m_row_of[node] == 0) {
      m_rows.push_back({node, node, false, false});
      m_values.resize(m_values.size() + m_measures.size());
      m_row_of[node] = static_cast<std::uint32_t>(m_rows.size());
    }
    const std::size_t row = m_row_of[node] - 1;
    m_row_of_entry[side].push_back(static_cast<std::uint32_t>(row));
    (side == 0 ? m_rows[row].in_before : m_rows[row].in_after) = true;
    const std::span<const Count> values = from.entry_values(entry);
    for (std::size_t i = 0; i < m_measures.size(); ++i) {
      const Count value = m_indices[side][i] ? values[*m_indices[side][i]] : 0;
      Both& sum = m_values[row * m_measures.size() + i];
      (side == 0 ? sum.before : sum.after) += value;
      (side == 0 ? m_totals[i].before : m_totals[i].after) += value;
    }
  }
}

bool StackDiff::is_listed_as_unknown(std::uint32_t stack) const {
  // The outermost frame says whether the file lists the stack.
  std::uint32_t node = stack;
  while (m_tree.caller(node) != 0) {
    node = m_tree.caller(node);
  }
  const std::string& outermost = m_names.text(m_tree.frame(node));
  return outermost == k_not_listed || outermost == k_other_places;
}

std::vector<std::uint32_t> StackDiff::kin_by_rank(std::span<const std::uint32_t> ranks) const {
  std::vector<std::uint32_t> kin(m_names.size());
  std::unordered_map<std::string, std::uint32_t> kinds;
  for (NameId name = 0; name < m_names.size(); ++name) {
    const std::string key = m_names.is_placeholder(name) ? m_names.text(name) : unqualified(m_names.text(name));
    kin[ranks[name]] = kinds.emplace(key, static_cast<std::uint32_t>(kinds.size())).first->second;
  }
  return kin;
}

void StackDiff::pair_rows() {
  const std::vector<std::uint32_t> ranks = m_names.ranks();
  std::vector<std::size_t> rows[2];
  std::vector<std::uint32_t> frames;
  std::vector<std::size_t> ends[2];
  for (const std::size_t side : {0, 1}) {
    for (std::size_t row = 0; row < m_rows.size(); ++row) {
      if (m_rows[row].in_before == m_rows[row].in_after || m_rows[row].in_before != (side == 0) ||
          is_listed_as_unknown(m_rows[row].stack)) {
        continue;
      }
      rows[side].push_back(row);
      for (std::uint32_t node = m_rows[row].stack; node != 0; node = m_tree.caller(node)) {
        frames.push_back(ranks[m_tree.frame(node)]);
      }
      ends[side].push_back(frames.size());
    }
  }
  if (rows[0].empty() || rows[1].empty()) {
    return;
  }
  std::vector<Leftover> leftovers[2];
  std::size_t begin = 0;
  for (const std::size_t side : {0, 1}) {
    for (const std::size_t end : ends[side]) {
      leftovers[side].push_back(Leftover(frames).subspan(begin, end - begin));
      begin = end;
    }
  }
  const Pairing pairing = pair_leftovers(leftovers[0], leftovers[1], kin_by_rank(ranks));
  if (pairing.only_equal_but_for_inlining) {
    m_notes.push_back(fmt::format(
        "{} stacks are in one file alone, more than {}: of these only pairs that are equal "
        "but for inlining were looked for",
        grouped_unsigned(rows[0].size() + rows[1].size()), grouped_unsigned(k_most_leftovers_by_similarity)));
  }
  for (const Pairing::Pair& pair : pairing.pairs) {
    make_pair(rows[0][pair.before], rows[1][pair.after]);
  }
}

void StackDiff::make_pair(std::size_t before, std::size_t after) {
  m_rows[after].before_stack = m_rows[before].stack;
  m_rows[after].in_before = true;
  for (std::size_t i = 0; i < m_measures.size(); ++i) {
    m_values[after * m_measures.size() + i].before = m_values[before * m_measures.size() + i].before;
    m_values[before * m_measures.size() + i].before = 0;
  }
  m_rows[before].in_before = false;  // nothing is left of this row
  m_pair_rows.push_back(after);
}

bool StackDiff::matches(const Row& row, const std::string& filter) const {
  for (const std::uint32_t stack : {row.stack, row.before_stack}) {
    for (std::uint32_t node = stack; node != 0; node = m_tree.caller(node)) {
      if (m_names.text(m_tree.frame(node)).find(filter) != std::string::npos) {
        return true;
      }
    }
  }
  return false;
}

void StackDiff::sort_rows(Rows& rows, std::span<const std::uint32_t> ranks) const {
  const auto by_names = [this, ranks](std::uint32_t left, std::uint32_t right) {
    for (; left != 0 && right != 0; left = m_tree.caller(left), right = m_tree.caller(right)) {
      if (m_tree.frame(left) != m_tree.frame(right)) {
        return ranks[m_tree.frame(left)] < ranks[m_tree.frame(right)];
      }
    }
    return left == 0 && right != 0;
  };
  std::sort(rows.begin(), rows.end(), [this, &by_names](std::size_t left, std::size_t right) {
    const Wide a = magnitude(exact_delta(values(left, m_measure)));
    const Wide b = magnitude(exact_delta(values(right, m_measure)));
    return a != b ? a > b : by_names(m_rows[left].stack, m_rows[right].stack);
  });
}

void StackDiff::sort_into_lists(const DiffOptions& options) {
  std::vector<bool> is_pair(m_rows.size());
  for (const std::size_t row : m_pair_rows) {
    is_pair[row] = true;
  }
  m_hidden.values.resize(m_measures.size());
  for (std::size_t row = 0; row < m_rows.size(); ++row) {
    const Row& shown = m_rows[row];
    if (!shown.in_before && !shown.in_after) {
      continue;
    }
    const Wide delta = exact_delta(values(row, m_measure));
    if (delta == 0 && !is_pair[row]) {
      ++m_unchanged;
      continue;
    }
    const bool small = options.min_delta && magnitude(delta) < Wide{*options.min_delta} * m_unit_iterations;
    if (small || (!options.filter.empty() && !matches(shown, options.filter))) {
      ++m_hidden.stacks;
      for (std::size_t i = 0; i < m_measures.size(); ++i) {
        m_hidden.values[i].before += values(row, i).before;
        m_hidden.values[i].after += values(row, i).after;
      }
      continue;
    }
    Rows& list = is_pair[row]                        ? m_paired
                 : shown.in_before && shown.in_after ? m_changed
                 : shown.in_before                   ? m_only_in_before
                                                     : m_only_in_after;
    list.push_back(row);
  }
  const std::vector<std::uint32_t> ranks = m_names.ranks();
  for (Rows* list : {&m_only_in_before, &m_only_in_after, &m_changed, &m_paired}) {
    sort_rows(*list, ranks);
  }
}

Wide StackDiff::exact_delta(const Both& values) const {
  return exact_after(values) - exact_before(values);
}

Slope StackDiff::before(const Both& values) const {
  return make_slope(values.before, is_per_iteration() ? m_before_iterations : 1);
}

Slope StackDiff::after(const Both& values) const {
  return make_slope(values.after, is_per_iteration() ? m_after_iterations : 1);
}

Slope StackDiff::delta(const Both& values) const {
  // Fits: choose_iterations() looked at all values together.
  return make_slope(static_cast<Count>(exact_delta(values)), m_unit_iterations);
}

}  // namespace allocgate

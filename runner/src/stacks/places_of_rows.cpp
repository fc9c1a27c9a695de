// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_diff.hpp"

#include <algorithm>
#include <tuple>

namespace allocgate {

namespace {

// Above so many comparisons in one row the greatest stack has to do.
constexpr std::size_t k_most_comparisons = 1'000'000;

/// One recorded stack of a row; those of one row differ in lines, files or inlining marks alone.
struct Recorded {
  std::size_t row = 0;
  std::size_t side = 0;
  StackId stack = 0;
  Wide value = 0;
};

bool same_places(const Recording& before, StackId left, const Recording& after, StackId right) {
  while (left != 0 && right != 0) {
    const Frame& one = before.frame(before.innermost(left));
    const Frame& other = after.frame(after.innermost(right));
    if (one.line != other.line || before.text(one.file) != after.text(other.file)) {
      return false;
    }
    left = before.caller_of(left);
    right = after.caller_of(right);
  }
  return left == right;
}

/// What is left of `after` when every stack that is in both with the same value is taken away: first those at the same
/// place, then, since lines move, any.
std::vector<Recorded> without_unchanged(std::span<const Recorded> before, std::span<const Recorded> after,
                                        const Recording& recording_before, const Recording& recording_after) {
  std::vector<Recorded> left(after.begin(), after.end());
  if (before.size() * after.size() > k_most_comparisons) {
    return left;
  }
  std::vector<bool> used(before.size());
  for (const bool by_place : {true, false}) {
    for (auto candidate = left.begin(); candidate != left.end();) {
      std::size_t match = 0;
      while (match < before.size() &&
             (used[match] || before[match].value != candidate->value ||
              (by_place && !same_places(recording_before, before[match].stack, recording_after, candidate->stack)))) {
        ++match;
      }
      if (match == before.size()) {
        ++candidate;
      } else {
        used[match] = true;
        candidate = left.erase(candidate);
      }
    }
  }
  return left;
}

StackId greatest(std::span<const Recorded> recorded) {
  return std::max_element(
             recorded.begin(), recorded.end(),
             [](const Recorded& left, const Recorded& right) { return magnitude(left.value) < magnitude(right.value); })
      ->stack;
}

}  // namespace

void StackDiff::choose_places() {
  std::vector<bool> is_listed(m_rows.size());
  for (const Rows* list : {&m_only_in_before, &m_only_in_after, &m_changed, &m_paired}) {
    for (const std::size_t row : *list) {
      is_listed[row] = true;
    }
  }
  std::vector<Recorded> recorded;
  for (const std::size_t side : {0, 1}) {
    const std::optional<std::size_t> measure = m_indices[side][m_measure];
    for (std::size_t entry = 0; entry < m_row_of_entry[side].size(); ++entry) {
      const std::size_t row = m_row_of_entry[side][entry];
      if (is_listed[row]) {
        const Count value = measure ? recording(side).entry_values(entry)[*measure] : 0;
        recorded.push_back({row, side, recording(side).entry_stack(entry),
                            Wide{value} * (side == 0 ? m_before_factor : m_after_factor)});
      }
    }
    m_row_of_entry[side] = {};
  }
  const auto key = [](const Recorded& one) { return std::tie(one.row, one.side, one.stack); };
  std::sort(recorded.begin(), recorded.end(),
            [&key](const Recorded& left, const Recorded& right) { return key(left) < key(right); });
  // Size classes of one stack together.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (kept != 0 && key(recorded[kept - 1]) == key(recorded[i])) {
      recorded[kept - 1].value += recorded[i].value;
    } else {
      recorded[kept++] = recorded[i];
    }
  }
  recorded.resize(kept);
  m_shown.resize(m_rows.size());
  for (std::size_t begin = 0; begin < recorded.size();) {
    std::size_t middle = begin;
    while (middle < recorded.size() && recorded[middle].row == recorded[begin].row && recorded[middle].side == 0) {
      ++middle;
    }
    std::size_t end = middle;
    while (end < recorded.size() && recorded[end].row == recorded[begin].row) {
      ++end;
    }
    const std::span<const Recorded> before = std::span(recorded).subspan(begin, middle - begin);
    const std::span<const Recorded> after = std::span(recorded).subspan(middle, end - middle);
    const std::vector<Recorded> changed = without_unchanged(before, after, *m_before, *m_after);
    m_shown[recorded[begin].row] = !changed.empty() ? Shown{1, greatest(changed)}
                                   : !after.empty() ? Shown{1, greatest(after)}
                                                    : Shown{0, greatest(before)};
    begin = end;
  }
}

std::vector<std::string> StackDiff::places(std::size_t row) const {
  std::vector<std::string> places(frames(m_rows[row].stack).size());
  const Shown& shown = m_shown[row];
  if (m_by != GroupBy::stack) {
    return places;
  }
  const Recording& from = recording(shown.side);
  StackId stack = shown.stack;
  for (std::string& place : places) {
    if (stack == 0) {
      break;
    }
    place = place_of(from, from.frame(from.innermost(stack)));
    stack = from.caller_of(stack);
  }
  return places;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/flame_tree.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace allocgate {

namespace {

/// Texts numbered in the order in which they are first asked for.
class Labels {
public:
  explicit Labels(std::string_view root) { number(root); }

  std::uint32_t number(std::string_view text) {
    const auto [entry, is_new] = m_numbers.emplace(text, static_cast<std::uint32_t>(m_texts.size()));
    if (is_new) {
      m_texts.emplace_back(text);
    }
    return entry->second;
  }
  std::vector<std::string> take() { return std::move(m_texts); }

private:
  std::vector<std::string> m_texts;
  std::unordered_map<std::string, std::uint32_t> m_numbers;
};

/// A call tree's nodes as they are numbered, with the frames as labels.
ColumnTree columns_of(const CallTree& tree) {
  ColumnTree columns;
  columns.parents.push_back(0);
  columns.labels.push_back(0);
  for (std::uint32_t node = 1; node < tree.size(); ++node) {
    columns.parents.push_back(tree.caller(node));
    columns.labels.push_back(tree.frame(node));
  }
  return columns;
}

class Builder {
public:
  explicit Builder(const StackDiff& diff) : m_diff(diff), m_labels("all"), m_place_labels("") {
    m_label_of.resize(1);
    m_measures.push_back(diff.measure());
    for (std::size_t i = 0; i < diff.measures().size(); ++i) {
      const DiffMeasure& measure = diff.measures()[i];
      const bool is_kin = measure.name == "allocations" || measure.name == "allocated_bytes";
      if (is_kin && i != diff.measure() && measure.is_in_both()) {
        m_measures.push_back(i);
      }
    }
  }

  FlameTree build() {
    for (const StackDiff::Row& row : m_diff.rows()) {
      m_node_of_row.push_back(stack_in(m_tree, m_diff.frames(row.stack)));
    }
    number_nodes();
    FlameTree result;
    result.calls = sorted_calls();
    add_values(result);
    add_rows(result, FlameRow::Kind::only_in_after, m_diff.only_in_after());
    add_rows(result, FlameRow::Kind::only_in_before, m_diff.only_in_before());
    add_rows(result, FlameRow::Kind::changed, m_diff.changed());
    add_rows(result, FlameRow::Kind::paired, m_diff.paired());
    result.before_calls = columns_of(m_before_tree);
    result.places = columns_of(m_place_tree);
    result.names = m_labels.take();
    result.place_names = m_place_labels.take();
    return result;
  }

private:
  /// Frames innermost first, as everywhere.
  std::uint32_t stack_in(CallTree& tree, const std::vector<NameId>& frames) {
    std::uint32_t node = 0;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      node = tree.child(node, *frame);
    }
    return node;
  }

  /// How wide a picture shows a node: of each stack the greater of its two sides, so that also what vanished has room.
  std::vector<Wide> widths() const {
    std::vector<Wide> widths(m_tree.size());
    for (std::size_t row = 0; row < m_node_of_row.size(); ++row) {
      const Both values = m_diff.values(row, m_diff.measure());
      widths[m_node_of_row[row]] +=
          std::max(magnitude(m_diff.exact_before(values)), magnitude(m_diff.exact_after(values)));
    }
    for (std::uint32_t node = static_cast<std::uint32_t>(m_tree.size()); node-- > 1;) {
      widths[m_tree.caller(node)] += widths[node];
    }
    return widths;
  }

  /// Decides the order in which nodes are shown.
  void number_nodes() {
    const std::vector<Wide> wide = widths();
    std::vector<std::uint32_t> by_parent(m_tree.size() - 1);
    std::iota(by_parent.begin(), by_parent.end(), 1U);
    std::sort(by_parent.begin(), by_parent.end(), [&](std::uint32_t left, std::uint32_t right) {
      if (m_tree.caller(left) != m_tree.caller(right)) {
        return m_tree.caller(left) < m_tree.caller(right);
      }
      if (wide[left] != wide[right]) {
        return wide[left] > wide[right];
      }
      const int names = m_diff.name(m_tree.frame(left)).compare(m_diff.name(m_tree.frame(right)));
      return names != 0 ? names < 0 : left < right;
    });
    std::vector<std::size_t> first_child(m_tree.size() + 1);
    for (const std::uint32_t node : by_parent) {
      ++first_child[m_tree.caller(node) + 1];
    }
    std::partial_sum(first_child.begin(), first_child.end(), first_child.begin());

    m_number_of.resize(m_tree.size());
    std::vector<std::uint32_t> waiting = {0};
    while (!waiting.empty()) {
      const std::uint32_t node = waiting.back();
      waiting.pop_back();
      m_number_of[node] = static_cast<std::uint32_t>(m_order.size());
      m_order.push_back(node);
      for (std::size_t i = first_child[node + 1]; i-- > first_child[node];) {
        waiting.push_back(by_parent[i]);
      }
    }
  }

  ColumnTree sorted_calls() {
    ColumnTree calls;
    for (const std::uint32_t node : m_order) {
      calls.parents.push_back(node == 0 ? 0 : m_number_of[m_tree.caller(node)]);
      calls.labels.push_back(node == 0 ? 0 : label_of(m_tree.frame(node)));
    }
    return calls;
  }

  /// Two names that read the same (of two modules) stay two nodes and share their text.
  std::uint32_t label_of(NameId name) {
    m_label_of.resize(std::max<std::size_t>(m_label_of.size(), name + 1));
    if (m_label_of[name] == 0) {
      m_label_of[name] = m_labels.number(m_diff.name(name)) + 1;
    }
    return m_label_of[name] - 1;
  }

  void add_values(FlameTree& result) const {
    for (const std::size_t measure : m_measures) {
      FlameMeasure values{measure, std::vector<Count>(m_order.size()), std::vector<Count>(m_order.size())};
      for (std::size_t row = 0; row < m_node_of_row.size(); ++row) {
        // Every sum fits: the difference looked at all values together.
        const Both both = m_diff.values(row, measure);
        const std::uint32_t node = m_number_of[m_node_of_row[row]];
        values.before[node] += static_cast<Count>(m_diff.exact_before(both));
        values.after[node] += static_cast<Count>(m_diff.exact_after(both));
      }
      result.measures.push_back(std::move(values));
    }
  }

  void add_rows(FlameTree& result, FlameRow::Kind kind, const StackDiff::Rows& rows) {
    for (const std::size_t row : rows) {
      const StackDiff::Row& listed = m_diff.rows()[row];
      FlameRow added{kind, m_number_of[m_node_of_row[row]], 0, 0};
      if (listed.before_stack != listed.stack) {
        std::vector<std::uint32_t> labels;
        for (const NameId name : m_diff.frames(listed.before_stack)) {
          labels.push_back(label_of(name));
        }
        added.before_stack = stack_in(m_before_tree, labels);
      }
      std::vector<std::uint32_t> places;
      for (const std::string& place : m_diff.places(row)) {
        places.push_back(m_place_labels.number(place));
      }
      added.places = stack_in(m_place_tree, places);
      result.rows.push_back(added);
    }
  }

  const StackDiff& m_diff;
  std::vector<std::size_t> m_measures;  // of the difference
  CallTree m_tree;
  CallTree m_before_tree;
  CallTree m_place_tree;
  std::vector<std::uint32_t> m_node_of_row;
  std::vector<std::uint32_t> m_order;      // nodes of m_tree as they are shown
  std::vector<std::uint32_t> m_number_of;  // and the other way round
  Labels m_labels;
  Labels m_place_labels;
  std::vector<std::uint32_t> m_label_of;  // of each NameId, plus 1; 0: none yet
};

}  // namespace

FlameTree make_flame_tree(const StackDiff& diff) {
  return Builder(diff).build();
}

}  // namespace allocgate

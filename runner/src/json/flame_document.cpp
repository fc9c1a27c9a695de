// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/stack_documents.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace allocgate {

namespace {

// The greatest integer below which JavaScript's numbers are all there.
constexpr UnsignedWide k_exact_in_javascript = (UnsignedWide{1} << 53U) - 1;

template <typename Range, typename Text>
std::string array_of(const Range& range, Text text) {
  std::string result = "[";
  for (const auto& element : range) {
    result += result.size() == 1 ? "" : ",";
    text(result, element);
  }
  return result + "]";
}

void append_number(std::string& result, std::int64_t number) {
  fmt::format_to(std::back_inserter(result), "{}", number);
}

std::string texts(const std::vector<std::string>& list) {
  return array_of(list, [](std::string& result, const std::string& text) { result += quoted_json(text); });
}

/// "up" is how far above a node its parent is: mostly 1, which compresses to nearly nothing.
std::string tree_text(const ColumnTree& tree) {
  std::vector<std::int64_t> up;
  for (std::size_t node = 0; node < tree.parents.size(); ++node) {
    up.push_back(static_cast<std::int64_t>(node) - tree.parents[node]);
  }
  return fmt::format("{{\"up\":{},\"label\":{}}}", array_of(up, append_number), array_of(tree.labels, append_number));
}

/// Values as numbers where every sum of them is exact as one, else all as texts.
std::string values_text(const std::vector<Count>& values, bool as_numbers) {
  return array_of(values, [as_numbers](std::string& result, Count value) {
    const char* quote = as_numbers ? "" : "\"";
    fmt::format_to(std::back_inserter(result), "{}{}{}", quote, value, quote);
  });
}

bool sums_are_exact(const FlameMeasure& measure) {
  UnsignedWide sum = 0;
  for (const std::vector<Count>* values : {&measure.before, &measure.after}) {
    for (const Count value : *values) {
      sum += magnitude(value);
    }
  }
  return sum <= k_exact_in_javascript;
}

template <typename Column>
std::string column(const FlameTree& tree, Column column) {
  return array_of(tree.rows,
                  [column](std::string& result, const FlameRow& row) { append_number(result, column(row)); });
}

std::string rows_text(const FlameTree& tree) {
  return fmt::format("{{\"kind\":{},\n\"node\":{},\n\"before\":{},\n\"places\":{}}}",
                     column(tree, [](const FlameRow& row) { return static_cast<std::int64_t>(row.kind); }),
                     column(tree, [](const FlameRow& row) { return row.node; }),
                     column(tree, [](const FlameRow& row) { return row.before_stack; }),
                     column(tree, [](const FlameRow& row) { return row.places; }));
}

/// What a row is, and what names it.
std::string rows_are_text(GroupBy by) {
  const auto group = std::find_if(k_group_names.begin(), k_group_names.end(),
                                  [by](const GroupName& candidate) { return candidate.by == by; });
  return group == k_group_names.end()
             ? R"({"plural":"stacks","title":"function"})"
             : fmt::format("{{\"plural\":{},\"title\":{}}}", quoted_json(group->plural), quoted_json(group->singular));
}

}  // namespace

std::string flame_tree_to_json(const FlameTree& tree, const StackDiff& diff, bool is_difference) {
  std::string measures;
  for (const FlameMeasure& measure : tree.measures) {
    const DiffMeasure& named = diff.measures()[measure.measure];
    const bool as_numbers = sums_are_exact(measure);
    measures += fmt::format("{}{{\"name\":{},\"unit\":{},\n\"before\":{},\n\"after\":{}}}",
                            measures.empty() ? "" : ",\n", quoted_json(named.name), quoted_json(named.unit),
                            values_text(measure.before, as_numbers), values_text(measure.after, as_numbers));
  }
  return fmt::format(
      "{{\"is_difference\":{},\"per_iteration\":{},\"unit_iterations\":\"{}\",\"rows_are\":{},\n\"names\":{},"
      "\n\"calls\":{},\n"
      "\"measures\":[{}],\n\"rows\":{},\n\"before_calls\":{},\n\"place_names\":{},\n\"places\":{}}}\n",
      is_difference, diff.is_per_iteration(), diff.unit_iterations(), rows_are_text(diff.by()), texts(tree.names),
      tree_text(tree.calls), measures, rows_text(tree), tree_text(tree.before_calls), texts(tree.place_names),
      tree_text(tree.places));
}

}  // namespace allocgate

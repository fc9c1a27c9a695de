// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/stack_diff.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// What a flame graph of a difference is drawn from. Pure functions; any thread.
namespace allocgate {

/// A tree in columns, a parent before its children. Node 0 is the root, which is its own parent and has label 0.
struct ColumnTree {
  std::vector<std::uint32_t> parents;
  std::vector<std::uint32_t> labels;  // numbers in the texts that go with the tree
};

/// Values of one measure by node of the tree of calls, of the stacks that end there alone; multiples of
/// 1/unit_iterations() of the difference. Their sums over a node and everything below it are in both files what was
/// allocated in calls from there.
struct FlameMeasure {
  std::size_t measure = 0;  // of the difference
  std::vector<Count> before;
  std::vector<Count> after;
};

/// A row of one of the difference's lists.
struct FlameRow {
  enum class Kind { only_in_after, only_in_before, changed, paired };

  Kind kind = Kind::changed;
  std::uint32_t node = 0;          // of calls: the stack; of a pair the one after
  std::uint32_t before_stack = 0;  // of before_calls: of a pair the stack before, else 0
  std::uint32_t places = 0;        // of places: where the frames lie, from the outermost; "" where that is not known
};

/// All stacks of both files as one tree of calls, also those that are the same, so that sums are the totals. Children
/// are sorted: those with most first, then by name; nodes are numbered from the root downwards, each subtree in one
/// piece. A pair counts under its names after. Values without a stack are the root's.
struct FlameTree {
  std::vector<std::string> names;  // labels of calls and before_calls; 0 is the root's, "all"
  ColumnTree calls;
  std::vector<FlameMeasure> measures;  // the compared one, then allocations and bytes where both files have them
  std::vector<FlameRow> rows;          // in the order of the lists: only in after, only in before, changed, paired
  ColumnTree before_calls;
  std::vector<std::string> place_names;  // labels of places; 0 is ""
  ColumnTree places;
};

FlameTree make_flame_tree(const StackDiff& diff);

}  // namespace allocgate

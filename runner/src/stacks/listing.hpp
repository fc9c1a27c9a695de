// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/grouping.hpp"
#include "stacks/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

// One recording as rows and trees. Pure functions; any thread.
namespace allocgate {

struct ListingOptions {
  std::size_t measure = 0;                          // rows are sorted by it
  std::string filter;                               // keep stacks that have this text in a frame's name
  Count least = std::numeric_limits<Count>::min();  // keep rows of at least this
  std::size_t depth = 0;                            // merge stacks by their innermost frames; 0: all frames
};

/// One stack with all its size classes together.
struct StackRow {
  StackId stack = 0;
  std::vector<Count> values;  // one for each measure
};

/// The same in one respect: allocated there, and allocated there or in what was called from there.
struct GroupRow {
  std::string key;
  std::vector<Count> own;
  std::vector<Count> inclusive;
};

template <typename Row>
struct Listing {
  std::vector<Row> rows;        // the greatest first, then by names
  std::size_t hidden_rows = 0;  // what `filter` and `least` left out
  std::vector<Count> hidden;    // and its values
};

Listing<StackRow> list_stacks(Recording& recording, const ListingOptions& options);
Listing<GroupRow> list_groups(const Recording& recording, GroupBy by, const ListingOptions& options);

/// The listed stacks as a recording of their own, without size classes: for exports of a part.
Recording listed_alone(const Recording& recording, const Listing<StackRow>& listing);

enum class TreeDirection {
  callees,  // from the outermost caller inwards: where the program spent its allocations
  callers,  // from what allocates outwards: who made it do so
};

/// A tree of calls, its nodes before their children, the greatest first. Frames are merged by name.
struct TreeNode {
  std::string name;
  std::size_t level = 0;  // of the outermost nodes 0
  Count value = 0;        // with everything below it
  Count own = 0;          // of stacks that end here
};

std::vector<TreeNode> call_tree(const Recording& recording, TreeDirection direction, const ListingOptions& options);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "report/style.hpp"
#include "stacks/listing.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Recordings of call stacks and their differences, for people. Pure functions; any thread.
namespace allocgate {

struct StacksView {
  std::size_t measure = 0;
  bool per_iteration = false;  // only of a recording that knows its iterations
  std::string file;            // the recording's name
};

/// The stacks that were kept, each with its values and frames.
std::string stacks_report(const Recording& recording, const Listing<StackRow>& listing, const StacksView& view,
                          const Style& style, std::size_t width);
std::string stacks_markdown(const Recording& recording, const Listing<StackRow>& listing, const StacksView& view);

/// Groups: what they allocated themselves, and with what they called.
std::string groups_report(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing,
                          const StacksView& view, const Style& style, std::size_t width);
std::string groups_markdown(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing,
                            const StacksView& view);

/// A tree of calls, as indentation.
std::string tree_report(const Recording& recording, const std::vector<TreeNode>& tree, const StacksView& view,
                        const Style& style, std::size_t width);
std::string tree_markdown(const Recording& recording, const std::vector<TreeNode>& tree, const StacksView& view);

/// The difference of two recordings.
std::string stack_diff_report(const StackDiff& diff, const Style& style, std::size_t width);
std::string stack_diff_markdown(const StackDiff& diff);

}  // namespace allocgate

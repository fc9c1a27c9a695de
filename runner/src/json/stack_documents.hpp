// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/flame_tree.hpp"
#include "stacks/listing.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// Call stacks as JSON. Reading throws Error (65) that names file, place and reason; writing gives the same bytes for
// the same value, one stack a line.
namespace allocgate {

constexpr std::string_view k_stacks_schema = "allocgate.stacks/1";
constexpr std::string_view k_stack_diff_schema = "allocgate.stack_diff/1";

/// Whether a text that begins so is JSON.
bool looks_like_json(std::string_view beginning);

/// A recording in any JSON that we read: DHAT's (valgrind, dhat-rs, ours), or ours.
Recording recording_from_json(std::string_view text, const std::filesystem::path& named);

/// DHAT's format 2, for dh_view.html. Without lifetimes; bytes are 0 where they are not known.
std::string to_dhat(const Recording& recording);

/// speedscope's format, a profile for each measure that is never negative.
std::string to_speedscope(const Recording& recording, std::string_view name);

/// allocgate.stacks/1: the listed stacks, groups or tree, values as the file has them.
std::string stacks_to_json(const Recording& recording, const Listing<StackRow>& listing);
std::string groups_to_json(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing);
std::string tree_to_json(const Recording& recording, std::size_t measure, TreeDirection direction,
                         const std::vector<TreeNode>& tree);

/// What `diff` names in its output beside the numbers.
struct DiffNames {
  std::string before;
  std::string after;
};

/// allocgate.stack_diff/1.
std::string stack_diff_to_json(const StackDiff& diff, const Recording& before, const Recording& after,
                               const DiffNames& names);

/// What the page of a difference is drawn from, in columns; runner/src/page/data.js reads it. No format for others:
/// both ends are in one file. Of one recording (not `is_difference`) only the values after mean something. A measure's
/// values are numbers where JavaScript adds them up exactly, else decimal texts.
std::string flame_tree_to_json(const FlameTree& tree, const StackDiff& diff, bool is_difference);

}  // namespace allocgate

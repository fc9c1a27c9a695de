// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/recording.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace allocgate {

/// What a row of a report is: a whole stack, or all stacks that are the same in one respect.
enum class GroupBy { stack, function, file, module, size_class };

struct GroupName {
  GroupBy by;
  std::string_view name;    // the word of --by
  std::string_view plural;  // "size classes"
  std::string_view singular;
};

/// The words of --by.
constexpr auto k_group_names = std::to_array<GroupName>({
    {GroupBy::function, "function", "functions", "function"},
    {GroupBy::file, "file", "files", "file"},
    {GroupBy::module, "module", "modules", "module"},
    {GroupBy::size_class, "size-class", "size classes", "size class"},
});

/// "1 stack", "2 functions", "3 size classes".
std::string counted_rows(std::size_t count, GroupBy by);

/// The frame that asked for the memory: the innermost that is not malloc, operator new or the like itself; the
/// innermost where all are. `stack` is not empty.
FrameId allocating_frame(const Recording& recording, StackId stack);

/// What a group is called that the text of a frame does not give: "[unknown]" without a file, module or size.
constexpr std::string_view k_unknown_group = "[unknown]";

/// The group of a frame by file or module, or of a size class, for people. Modules and files go by their whole path.
std::string group_of_frame(const Recording& recording, FrameId frame, GroupBy by);
std::string group_of_size(int size_class);

}  // namespace allocgate

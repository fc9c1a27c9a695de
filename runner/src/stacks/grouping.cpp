// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/grouping.hpp"

#include "base/text.hpp"
#include "model/result.hpp"
#include "stacks/function_name.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

std::string counted_rows(std::size_t count, GroupBy by) {
  const auto found =
      std::find_if(k_group_names.begin(), k_group_names.end(), [by](const GroupName& group) { return group.by == by; });
  const bool is_group = found != k_group_names.end();
  const std::string_view singular = is_group ? found->singular : "stack";
  const std::string_view plural = is_group ? found->plural : "stacks";
  return fmt::format("{} {}", grouped_unsigned(count), count == 1 ? singular : plural);
}

FrameId allocating_frame(const Recording& recording, StackId stack) {
  for (StackId node = stack; node != 0; node = recording.caller_of(node)) {
    const Frame& frame = recording.frame(recording.innermost(node));
    if (!is_allocation_function(identity_name(recording.text(frame.function), recording.text(frame.linkage_name)))) {
      return recording.innermost(node);
    }
  }
  return recording.innermost(stack);
}

std::string group_of_frame(const Recording& recording, FrameId id, GroupBy by) {
  const Frame& frame = recording.frame(id);
  if (by == GroupBy::function) {
    return shown_name(recording, frame);
  }
  const TextId text = by == GroupBy::file ? frame.file : frame.module;
  return text == 0 ? std::string(k_unknown_group) : std::string(recording.text(text));
}

std::string group_of_size(int size_class) {
  return size_class < 0 ? std::string(k_unknown_group) : size_class_label(static_cast<std::size_t>(size_class));
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/grouping.hpp"

#include "model/result.hpp"
#include "stacks/function_name.hpp"
#include "stacks/name_table.hpp"

namespace allocgate {

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

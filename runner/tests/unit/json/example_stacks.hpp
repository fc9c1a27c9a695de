// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "json/stack_documents.hpp"
#include "stacks/example_recordings.hpp"

#include <array>
#include <map>
#include <stdexcept>
#include <string>

namespace allocgate {

inline Recording full_recording(Count hot) {
  Recording recording =
      recording_of({{"malloc < run < main", hot}, {"malloc < old < step < loop < main", hot}, {"cold < main", 1}}, 16);
  if (!recording.add_unlisted(std::array<Count, 2>{2, 32})) {
    throw std::overflow_error("an example must fit");
  }
  recording.command = "./app";
  recording.iterations = 4;
  recording.notes = {"truncated: 3 stacks"};
  return recording;
}

/// Documents of call stacks with all their fields, by the name of the file they go to.
inline std::map<std::string, std::string> stack_documents() {
  Recording before = full_recording(5);
  const Recording after = [] {
    Recording recording = recording_of({{"malloc < run < main", 9},
                                        {"malloc < fresh < step < loop < main", 13},
                                        {"one < two < three", 40},
                                        {"cold < init", 2}},
                                       16);
    recording.iterations = 4;
    recording.command = "./app";
    return recording;
  }();
  ListingOptions options;
  options.least = 2;
  DiffOptions least;
  least.min_delta = 1;
  return {{"stacks.json", stacks_to_json(before, list_stacks(before, options))},
          {"stacks.groups.json",
           groups_to_json(before, GroupBy::function, list_groups(before, GroupBy::function, options))},
          {"stacks.tree.json",
           tree_to_json(before, 0, TreeDirection::callees, call_tree(before, TreeDirection::callees, options))},
          {"stack_diff.json",
           stack_diff_to_json(StackDiff(before, after, least), before, after, {"before.pb.gz", "after.pb.gz"})}};
}

}  // namespace allocgate

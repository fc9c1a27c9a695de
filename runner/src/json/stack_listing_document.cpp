// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/stack_documents.hpp"
#include "json/value.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

std::string values_text(const Recording& recording, const std::vector<Count>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", quoted_json(recording.measures()[i].name), values[i]);
  }
  return "{" + text + "}";
}

/// Everything before the rows: what the recording is of, and its totals.
std::string head_text(const Recording& recording) {
  std::string text = fmt::format("{{\n  \"schema\": {},\n", quoted_json(k_stacks_schema));
  if (!recording.command.empty()) {
    text += fmt::format("  \"command\": {},\n", quoted_json(recording.command));
  }
  if (recording.iterations) {
    text += fmt::format("  \"iterations\": {},\n", *recording.iterations);
  }
  std::string measures;
  for (const RecordedMeasure& measure : recording.measures()) {
    measures += fmt::format("{}{{\"name\": {}, \"unit\": {}}}", measures.empty() ? "" : ", ", quoted_json(measure.name),
                            quoted_json(measure.unit));
  }
  text +=
      fmt::format("  \"measures\": [{}],\n  \"total\": {},\n", measures, values_text(recording, recording.totals()));
  if (std::any_of(recording.unlisted().begin(), recording.unlisted().end(), [](Count value) { return value != 0; })) {
    text += fmt::format("  \"not_listed\": {},\n", values_text(recording, recording.unlisted()));
  }
  return text;
}

std::string notes_text(const Recording& recording) {
  std::string text;
  for (const std::string& note : recording.notes) {
    text += (text.empty() ? "" : ", ") + quoted_json(note);
  }
  return fmt::format("  \"notes\": [{}]\n}}\n", text);
}

template <typename Row>
std::string hidden_text(const Recording& recording, const Listing<Row>& listing) {
  return listing.hidden_rows == 0 ? std::string()
                                  : fmt::format("  \"hidden\": {{\"rows\": {}, \"measures\": {}}},\n",
                                                listing.hidden_rows, values_text(recording, listing.hidden));
}

}  // namespace

std::string stacks_to_json(const Recording& recording, const Listing<StackRow>& listing) {
  std::vector<std::string> names;
  std::vector<std::string> places;
  for (FrameId id = 0; id < recording.frame_count(); ++id) {
    names.push_back(quoted_json(shown_name(recording, recording.frame(id))));
    places.push_back(quoted_json(place_of(recording, recording.frame(id))));
  }
  std::string text = head_text(recording) + "  \"stacks\": [";
  std::string_view separator = "\n";
  for (const StackRow& row : listing.rows) {
    std::string frames;
    std::string where;
    for (const FrameId frame : recording.frames_of(row.stack)) {
      frames += (frames.empty() ? "" : ", ") + names[frame];
      where += (where.empty() ? "" : ", ") + places[frame];
    }
    text += fmt::format("{}    {{\"frames\": [{}], \"places\": [{}], \"measures\": {}}}", separator, frames, where,
                        values_text(recording, row.values));
    separator = ",\n";
  }
  return text + (listing.rows.empty() ? "" : "\n  ") + "],\n" + hidden_text(recording, listing) + notes_text(recording);
}

std::string groups_to_json(const Recording& recording, GroupBy by, const Listing<GroupRow>& listing) {
  const auto name = std::find_if(k_group_names.begin(), k_group_names.end(),
                                 [by](const GroupName& candidate) { return candidate.by == by; });
  std::string text = head_text(recording) + fmt::format("  \"by\": {},\n  \"groups\": [", quoted_json(name->name));
  std::string_view separator = "\n";
  for (const GroupRow& row : listing.rows) {
    text += fmt::format("{}    {{\"name\": {}, \"measures\": {}, \"inclusive\": {}}}", separator, quoted_json(row.key),
                        values_text(recording, row.own), values_text(recording, row.inclusive));
    separator = ",\n";
  }
  return text + (listing.rows.empty() ? "" : "\n  ") + "],\n" + hidden_text(recording, listing) + notes_text(recording);
}

std::string tree_to_json(const Recording& recording, std::size_t measure, TreeDirection direction,
                         const std::vector<TreeNode>& tree) {
  std::string text = head_text(recording) + fmt::format("  \"measure\": {},\n  \"direction\": \"{}\",\n  \"tree\": [",
                                                        quoted_json(recording.measures()[measure].name),
                                                        direction == TreeDirection::callees ? "callees" : "callers");
  std::string_view separator = "\n";
  for (const TreeNode& node : tree) {
    text += fmt::format("{}    {{\"level\": {}, \"name\": {}, \"value\": {}, \"own\": {}}}", separator, node.level,
                        quoted_json(node.name), node.value, node.own);
    separator = ",\n";
  }
  return text + (tree.empty() ? "" : "\n  ") + "],\n" + notes_text(recording);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/listing.hpp"
#include "stacks/example_recordings.hpp"
#include "stacks/name_table.hpp"

#include <gmock/gmock.h>

namespace allocgate {
namespace {

using testing::ElementsAre;

std::vector<std::pair<std::string, Count>> rows_of(Recording& recording, const ListingOptions& options) {
  std::vector<std::pair<std::string, Count>> rows;
  for (const StackRow& row : list_stacks(recording, options).rows) {
    std::string text;
    for (const FrameId frame : recording.frames_of(row.stack)) {
      text += (text.empty() ? "" : " < ") + shown_name(recording, recording.frame(frame));
    }
    rows.emplace_back(text, row.values.front());
  }
  return rows;
}

TEST(Listing, SortsAndAddsUp) {
  Recording recording = recording_of({{"a < main", 1}, {"b < main", 5}, {"a < main", 3}, {"a < b", 4}});
  using Rows = std::vector<std::pair<std::string, Count>>;
  EXPECT_EQ(rows_of(recording, {}), (Rows{{"b < main", 5}, {"a < b", 4}, {"a < main", 4}}));
  ListingOptions options;
  options.depth = 1;
  EXPECT_EQ(rows_of(recording, options), (Rows{{"a", 8}, {"b", 5}}));
}

TEST(Listing, SaysWhatItLeavesOut) {
  Recording recording = recording_of({{"a < main", 1}, {"b < main", 5}, {"c < init", 3}});
  ListingOptions options;
  options.filter = "main";
  options.least = 2;
  const Listing<StackRow> listing = list_stacks(recording, options);
  EXPECT_EQ(listing.rows.size(), 1);
  EXPECT_EQ(listing.hidden_rows, 2);
  EXPECT_THAT(listing.hidden, ElementsAre(4));
}

TEST(Listing, ChargesTheFunctionThatAsksAndCountsRecursionOnce) {
  const Recording recording = recording_of({{"malloc < f < f < main", 2}, {"malloc < g < f < main", 3}});
  std::vector<std::tuple<std::string, Count, Count>> rows;
  for (const GroupRow& row : list_groups(recording, GroupBy::function, {}).rows) {
    rows.emplace_back(row.key, row.own.front(), row.inclusive.front());
  }
  EXPECT_THAT(rows, ElementsAre(std::tuple("g", 3, 3), std::tuple("f", 2, 5), std::tuple("main", 0, 5),
                                std::tuple("malloc", 0, 5)));
}

TEST(Listing, MakesTreesBothWays) {
  const Recording recording = recording_of({{"a < f < main", 2}, {"b < f < main", 3}, {"f < main", 1}});
  const auto text_of = [&recording](TreeDirection direction) {
    std::vector<std::string> lines;
    for (const TreeNode& node : call_tree(recording, direction, {})) {
      lines.push_back(std::string(node.level, ' ') + node.name + " " + std::to_string(node.value) + " " +
                      std::to_string(node.own));
    }
    return lines;
  };
  EXPECT_THAT(text_of(TreeDirection::callees), ElementsAre("main 6 0", " f 6 1", "  b 3 3", "  a 2 2"));
  EXPECT_THAT(text_of(TreeDirection::callers),
              ElementsAre("b 3 0", " f 3 0", "  main 3 3", "a 2 0", " f 2 0", "  main 2 2", "f 1 0", " main 1 1"));
}

TEST(Listing, GoesAsDeepAsStacksGo) {
  Recording recording;
  recording.add_measure({"allocations", "count", {}});
  Frame frame;
  frame.function = recording.text("deep");
  StackId stack = 0;
  constexpr std::size_t k_depth = 50'000;
  for (std::size_t i = 0; i < k_depth; ++i) {
    stack = recording.called_from(stack, recording.frame(frame));
  }
  ASSERT_TRUE(recording.add(stack, std::array<Count, 1>{1}));
  EXPECT_EQ(call_tree(recording, TreeDirection::callees, {}).size(), k_depth);
  EXPECT_EQ(list_stacks(recording, {}).rows.size(), 1);
}

}  // namespace
}  // namespace allocgate

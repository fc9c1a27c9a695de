// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_diff.hpp"
#include "base/error.hpp"
#include "stacks/example_recordings.hpp"

#include <gmock/gmock.h>

#include <random>

namespace allocgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string text_of(const StackDiff& diff, std::uint32_t stack) {
  std::string text;
  for (const NameId name : diff.frames(stack)) {
    text += (text.empty() ? "" : " < ") + diff.name(name);
  }
  return text;
}

std::vector<std::string> lines_of(const StackDiff& diff, const StackDiff::Rows& rows) {
  std::vector<std::string> lines;
  for (const std::size_t row : rows) {
    const StackDiff::Row& shown = diff.rows()[row];
    const Both values = diff.values(row, diff.measure());
    lines.push_back(text_of(diff, shown.stack) +
                    (shown.before_stack == shown.stack ? "" : " | " + text_of(diff, shown.before_stack)) + ": " +
                    std::to_string(values.before) + " -> " + std::to_string(values.after));
  }
  return lines;
}

TEST(StackDiff, SortsIntoFourLists) {
  const Recording before =
      recording_of({{"m < gone", 3}, {"m < same < main", 4}, {"m < more < main", 1}, {"m < old_name < run < main", 5}});
  const Recording after = recording_of(
      {{"m < fresh", 2}, {"m < same < main", 4}, {"m < more < main", 8}, {"m < new_name < run < main", 6}});
  const StackDiff diff(before, after, {});
  EXPECT_THAT(lines_of(diff, diff.only_in_before()), ElementsAre("m < gone: 3 -> 0"));
  EXPECT_THAT(lines_of(diff, diff.only_in_after()), ElementsAre("m < fresh: 0 -> 2"));
  EXPECT_THAT(lines_of(diff, diff.changed()), ElementsAre("m < more < main: 1 -> 8"));
  EXPECT_THAT(lines_of(diff, diff.paired()),
              ElementsAre("m < new_name < run < main | m < old_name < run < main: 5 -> 6"));
  EXPECT_EQ(diff.unchanged(), 1);

  DiffOptions options;
  options.pair = false;
  const StackDiff unpaired(before, after, options);
  EXPECT_THAT(unpaired.paired(), IsEmpty());
  EXPECT_EQ(unpaired.only_in_before().size(), 2);
}

TEST(StackDiff, OfARecordingWithItselfIsEmpty) {
  const Recording recording = recording_of({{"a < main", 1}, {"b < main", 2}});
  const StackDiff diff(recording, recording, {});
  EXPECT_THAT(diff.only_in_before(), IsEmpty());
  EXPECT_THAT(diff.only_in_after(), IsEmpty());
  EXPECT_THAT(diff.changed(), IsEmpty());
  EXPECT_THAT(diff.paired(), IsEmpty());
  EXPECT_EQ(diff.unchanged(), 2);
}

TEST(StackDiff, NeverPairsWhatIsNotListed) {
  Recording before = recording_of({{"a < b < c < main", 1}});
  Recording after = recording_of({{"a < b < c < main", 1}});
  ASSERT_TRUE(before.add_unlisted(std::array<Count, 1>{4}, before.entry_stack(0)));
  ASSERT_TRUE(after.add_unlisted(std::array<Count, 1>{6}));
  const StackDiff diff(before, after, {});
  EXPECT_THAT(lines_of(diff, diff.only_in_after()), ElementsAre("[not listed]: 0 -> 6"));
  EXPECT_THAT(diff.paired(), IsEmpty());
}

TEST(StackDiff, HidesOnlyAfterTheSubtraction) {
  const Recording before = recording_of({{"a < main", 999}, {"b < main", 5}});
  const Recording after = recording_of({{"a < main", 1001}, {"b < main", 105}});
  DiffOptions options;
  options.min_delta = 3;
  const StackDiff diff(before, after, options);
  EXPECT_THAT(lines_of(diff, diff.changed()), ElementsAre("b < main: 5 -> 105"));
  EXPECT_EQ(diff.hidden().stacks, 1);
  EXPECT_EQ(diff.delta(diff.hidden().values.front()).count, 2);
  options.min_delta = 2;
  EXPECT_EQ(StackDiff(before, after, options).changed().size(), 2);
}

TEST(StackDiff, ComparesPerIterationExactly) {
  Recording before = recording_of({{"a < main", 30}, {"b < main", 10}});
  Recording after = recording_of({{"a < main", 20}, {"b < main", 7}});
  before.iterations = 30;
  after.iterations = 20;
  const StackDiff diff(before, after, {});
  EXPECT_TRUE(diff.is_per_iteration());
  EXPECT_THAT(lines_of(diff, diff.changed()), ElementsAre("b < main: 10 -> 7"));
  const Slope delta = diff.delta(diff.totals().front());
  EXPECT_EQ(delta.count, 1);
  EXPECT_EQ(delta.iterations, 60);
  DiffOptions options;
  options.totals = true;
  EXPECT_EQ(StackDiff(before, after, options).changed().size(), 2);
}

TEST(StackDiff, ComparesInnermostFramesAndGroups) {
  const Recording before = recording_of({{"malloc < f < x < main", 1}, {"malloc < f < y < main", 2}});
  const Recording after = recording_of({{"malloc < f < z < main", 4}});
  DiffOptions options;
  options.depth = 2;
  const StackDiff by_depth(before, after, options);
  EXPECT_THAT(lines_of(by_depth, by_depth.changed()), ElementsAre("malloc < f: 3 -> 4"));
  options = {};
  options.by = GroupBy::function;
  const StackDiff by_function(before, after, options);
  EXPECT_THAT(lines_of(by_function, by_function.changed()), ElementsAre("f: 3 -> 4"));
}

Recording with_lines(std::initializer_list<std::pair<std::uint32_t, Count>> lines) {
  Recording recording;
  recording.add_measure({"allocations", "count", {}});
  for (const auto& [line, count] : lines) {
    Frame frame;
    frame.function = recording.text("run");
    frame.file = recording.text("run.cpp");
    frame.line = line;
    EXPECT_TRUE(recording.add(recording.called_from(0, recording.frame(frame)), std::array<Count, 1>{count}));
  }
  return recording;
}

TEST(StackDiff, NamesTheLineThatChanged) {
  const Recording before = with_lines({{10, 49}, {20, 7}});
  const auto place_of_change = [&before](const Recording& after) {
    const StackDiff diff(before, after, {});
    EXPECT_EQ(diff.changed().size(), 1);
    return diff.places(diff.changed().front());
  };
  EXPECT_THAT(place_of_change(with_lines({{10, 49}, {11, 49}, {20, 7}})), ElementsAre("run.cpp:11"));
  EXPECT_THAT(place_of_change(with_lines({{10, 49}, {20, 8}})), ElementsAre("run.cpp:20"));
  EXPECT_THAT(place_of_change(with_lines({{17, 49}, {27, 7}, {29, 3}})), ElementsAre("run.cpp:29"));
}

TEST(StackDiff, LeavesOutWhatOneFileHasNot) {
  const Recording before = recording_of({{"a", 1}}, 16);
  const Recording after = recording_of({{"a", 1}});
  const StackDiff diff(before, after, {});
  EXPECT_FALSE(diff.measures()[1].is_in_both());
  EXPECT_THAT(diff.notes(), ElementsAre("in one of the files alone, and so not compared: allocated_bytes"));
}

TEST(StackDiff, RefusesAMeasureThatNeitherFileHas) {
  const Recording recording = recording_of({{"a", 1}});
  DiffOptions options;
  options.measure = "alocations";
  EXPECT_THROW(StackDiff(recording, recording, options), Error);
}

/// Whatever is asked for, all lists and what is hidden add up to the difference of the totals.
TEST(StackDiff, AlwaysAddsUp) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const auto make = [&random] {
      Recording recording = recording_of({});
      for (int stack = 0; stack < 60; ++stack) {
        std::vector<FrameId> frames;
        const std::size_t depth = 1 + random() % 7;
        for (std::size_t i = 0; i < depth; ++i) {
          Frame frame;
          frame.function = recording.text(std::string(1, static_cast<char>('a' + random() % 6)));
          frames.push_back(recording.frame(frame));
        }
        EXPECT_TRUE(recording.add(recording.stack(frames), std::array<Count, 1>{static_cast<Count>(random() % 50)}));
      }
      return recording;
    };
    const Recording before = make();
    const Recording after = make();
    DiffOptions options;
    options.pair = round % 2 == 0;
    options.depth = round % 3;
    options.filter = round % 5 == 0 ? "c" : "";
    if (round % 7 == 0) {
      options.min_delta = 10;
    }
    const StackDiff diff(before, after, options);
    Wide delta = diff.exact_delta(diff.hidden().values.front());
    for (const auto* list : {&diff.only_in_before(), &diff.only_in_after(), &diff.changed(), &diff.paired()}) {
      for (const std::size_t row : *list) {
        delta += diff.exact_delta(diff.values(row, 0));
      }
    }
    EXPECT_TRUE(delta == after.totals().front() - before.totals().front());
  }
}

}  // namespace
}  // namespace allocgate

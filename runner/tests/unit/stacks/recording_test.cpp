// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/example_recordings.hpp"
#include "stacks/name_table.hpp"

#include <gmock/gmock.h>

#include <limits>

namespace allocgate {
namespace {

using testing::ElementsAre;

TEST(Recording, GivesEqualPartsEqualNumbers) {
  Recording recording;
  Frame frame;
  frame.function = recording.text("run");
  EXPECT_EQ(recording.text("run"), frame.function);
  const FrameId run = recording.frame(frame);
  EXPECT_EQ(recording.frame(frame), run);
  frame.line = 3;
  const FrameId line = recording.frame(frame);
  EXPECT_NE(line, run);
  const StackId stack = recording.stack(std::array<FrameId, 2>{run, line});
  recording.freeze();
  EXPECT_EQ(recording.called_from(recording.called_from(0, line), run), stack);
  EXPECT_THAT(recording.frames_of(stack), ElementsAre(run, line));
}

TEST(Recording, KeepsManyStacksApart) {
  Recording recording;
  Frame frame;
  std::vector<StackId> stacks;
  for (std::uint32_t i = 1; i <= 5000; ++i) {
    frame.line = i;
    stacks.push_back(recording.called_from(i % 7 == 0 ? stacks.back() : 0, recording.frame(frame)));
  }
  for (std::uint32_t i = 1; i <= 5000; ++i) {
    EXPECT_EQ(recording.frame(recording.innermost(stacks[i - 1])).line, i);
    EXPECT_EQ(recording.frames_of(stacks[i - 1]).size(), i % 7 == 0 ? 2 : 1);
  }
}

TEST(Recording, CountsWhatIsNotListedInItsTotals) {
  Recording recording = recording_of({{"malloc < run", 5}});
  EXPECT_TRUE(recording.add_unlisted(std::array<Count, 1>{7}));
  EXPECT_TRUE(recording.add_unlisted(std::array<Count, 1>{2}, recording.entry_stack(0)));
  EXPECT_THAT(recording.totals(), ElementsAre(14));
  EXPECT_THAT(recording.unlisted(), ElementsAre(9));
}

TEST(Recording, KnowsItsMarkersWhoeverAddsThem) {
  const Recording recording =
      recording_of({{"malloc < [other places]", 5}, {"[not listed]", 3}, {"[not listed] < main", 1}});
  EXPECT_THAT(recording.unlisted(), ElementsAre(8));
}

TEST(Recording, RefusesWhatDoesNotFit) {
  constexpr Count k_most = std::numeric_limits<Count>::max();
  Recording recording = recording_of({{"malloc", k_most - 1}});
  const StackId stack = recording.entry_stack(0);
  EXPECT_FALSE(recording.add(stack, std::array<Count, 1>{2}));
  EXPECT_FALSE(recording.add(stack, std::array<Count, 1>{std::numeric_limits<Count>::min()}));
  EXPECT_EQ(recording.entry_count(), 1);
  EXPECT_TRUE(recording.add(stack, std::array<Count, 1>{1}));
  EXPECT_THAT(recording.totals(), ElementsAre(k_most));
}

TEST(Recording, PrefersAllocationsToWhatOthersCallThem) {
  Recording recording;
  recording.add_measure({"seconds", "ns", {}});
  EXPECT_EQ(main_measure(recording), 0);
  recording.add_measure({"allocations", "count", "alloc_objects"});
  EXPECT_EQ(main_measure(recording), 1);
  EXPECT_EQ(recording.find_measure("alloc_objects"), 1);
  EXPECT_EQ(recording.find_measure("nothing"), std::nullopt);
}

FrameId frame_in(Recording& recording, std::string_view function, std::string_view module,
                 std::string_view linkage = {}) {
  Frame frame;
  frame.function = recording.text(function);
  frame.module = recording.text(module);
  frame.linkage_name = recording.text(linkage);
  recording.has_modules = recording.has_modules || !module.empty();
  return recording.frame(frame);
}

NameTable table_of(const Recording& before, const Recording& after) {
  return NameTable(std::array<const Recording*, 2>{&before, &after});
}

TEST(NameTable, ComparesModulesButTheMainExecutables) {
  Recording before;
  Recording after;
  const FrameId main_before = frame_in(before, "main", "/old/app");
  const FrameId main_after = frame_in(after, "main", "/new/app2");
  const FrameId lib_before = frame_in(before, "run", "/old/liba.so");
  const FrameId lib_after = frame_in(after, "run", "/new/liba.so");
  const FrameId other_lib = frame_in(after, "run", "/new/libb.so");
  const FrameId unknown_before = frame_in(before, "0x12", "/old/liba.so");
  const FrameId unknown_after = frame_in(after, "0x99", "/new/liba.so");
  const NameTable names = table_of(before, after);
  EXPECT_EQ(names.name_of(0, main_before), names.name_of(1, main_after));
  EXPECT_EQ(names.name_of(0, lib_before), names.name_of(1, lib_after));
  EXPECT_NE(names.name_of(0, lib_before), names.name_of(1, other_lib));
  EXPECT_EQ(names.name_of(0, unknown_before), names.name_of(1, unknown_after));
  EXPECT_EQ(names.text(names.name_of(0, unknown_before)), "[unknown in liba.so]");
}

TEST(NameTable, ComparesByFunctionAloneWhereOneSideHasNoModules) {
  Recording before;
  Recording after;
  const FrameId with = frame_in(before, "run", "/old/liba.so");
  const FrameId without = frame_in(after, "run", "");
  const NameTable names = table_of(before, after);
  EXPECT_EQ(names.name_of(0, with), names.name_of(1, without));
}

TEST(NameTable, KnowsAHelperOfInternalLinkageInlinedOrNot) {
  Recording before;
  Recording after;
  const FrameId inlined = frame_in(before, "helper", "");
  const FrameId called = frame_in(after, "helper(int)", "", "_ZL6helperi");
  const FrameId in_anonymous = frame_in(before, "hidden", "");
  const FrameId full = frame_in(after, "", "", "_ZN12_GLOBAL__N_16hiddenEi");
  const NameTable names = table_of(before, after);
  EXPECT_EQ(names.name_of(0, inlined), names.name_of(1, called));
  EXPECT_EQ(names.name_of(0, in_anonymous), names.name_of(1, full));
}

TEST(NameTable, KeepsOverloadsApart) {
  Recording before;
  Recording after;
  const FrameId of_int = frame_in(before, "", "", "_Z3runi");
  const FrameId of_double = frame_in(after, "", "", "_Z3rund");
  const FrameId bare = frame_in(before, "run", "");
  const NameTable names = table_of(before, after);
  EXPECT_NE(names.name_of(0, of_int), names.name_of(1, of_double));
  EXPECT_NE(names.name_of(0, of_int), names.name_of(0, bare));
  EXPECT_NE(names.name_of(0, bare), names.name_of(1, of_double));
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/changed_place.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace allocgate {
namespace {

struct Line {
  std::string function;
  std::string file;
  std::uint32_t line = 0;
};

/// One stack, innermost first, with its allocations.
struct Allocating {
  std::vector<Line> frames;
  Count allocations = 0;
};

Recording recording_of(const std::vector<Allocating>& stacks) {
  Recording recording;
  recording.add_measure({"allocations", "count", "allocations"});
  for (const Allocating& stack : stacks) {
    std::vector<FrameId> frames;
    for (const Line& line : stack.frames) {
      Frame frame;
      frame.function = recording.text(line.function);
      frame.file = recording.text(line.file);
      frame.line = line.line;
      frames.push_back(recording.frame(frame));
    }
    EXPECT_TRUE(recording.add(recording.stack(frames), std::array{stack.allocations}));
  }
  return recording;
}

std::string place_between(const std::vector<Allocating>& before, const std::vector<Allocating>& after) {
  const Recording left = recording_of(before);
  const Recording right = recording_of(after);
  const std::optional<SourcePlace> place = changed_place(StackDiff(left, right, {}));
  return place ? place->file + ":" + std::to_string(place->line) + " in " + place->function : "nowhere";
}

const Line k_main = {"main", "src/main.cpp", 3};

TEST(ChangedPlace, IsTheInnermostOfTheProject) {
  EXPECT_EQ(place_between({}, {{{{"strdup", "./string/strdup.c", 42},
                                 {"std::string::string", "/usr/include/c++/12/string", 9},
                                 {"answer", "src/answer.cpp", 12},
                                 k_main},
                                1}}),
            "src/answer.cpp:12 in answer");
}

TEST(ChangedPlace, IsOfTheRowThatGrewMost) {
  const std::vector<Allocating> before = {{{{"a", "a.cpp", 1}, k_main}, 5}, {{{"b", "b.cpp", 2}, k_main}, 5}};
  const std::vector<Allocating> after = {{{{"a", "a.cpp", 1}, k_main}, 6}, {{{"b", "b.cpp", 2}, k_main}, 9}};
  EXPECT_EQ(place_between(before, after), "b.cpp:2 in b");
  EXPECT_EQ(place_between(after, before), "b.cpp:2 in b") << "where all shrank, the one that shrank most";
}

TEST(ChangedPlace, TakesALibrarysWhereThereIsNoOther) {
  EXPECT_EQ(place_between({}, {{{{"strdup", "./string/strdup.c", 42}, {"start", "", 0}}, 1}}),
            "./string/strdup.c:42 in strdup");
  EXPECT_EQ(place_between({}, {{{{"x", "/usr/include/x.h", 1}, {"y", "./y.c", 2}}, 1}}), "./y.c:2 in y");
}

TEST(ChangedPlace, IsNowhereWithoutSourcesOrChanges) {
  EXPECT_EQ(place_between({}, {{{{"a", "", 0}}, 1}}), "nowhere");
  EXPECT_EQ(place_between({{{k_main}, 1}}, {{{k_main}, 1}}), "nowhere");
}

}  // namespace
}  // namespace allocgate

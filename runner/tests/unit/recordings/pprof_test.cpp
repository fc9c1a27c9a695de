// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_text.hpp"

#include <gmock/gmock.h>

#include <array>

namespace allocgate {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string message(int field, std::string_view content) {
  std::string text(1, static_cast<char>(field << 3 | 2));
  text += static_cast<char>(content.size());  // all of ours are short
  return text.append(content);
}

std::string number(int field, int value) {
  return {static_cast<char>(field << 3), static_cast<char>(value)};
}

/// A profile as some other tool might write it: not packed, one function without a mangled name, texts at the front.
std::string small_profile() {
  std::string text;
  for (const std::string_view string : {"", "alloc_objects", "count", "run", "main", "run.cc"}) {
    text += message(6, string);
  }
  text += message(1, number(1, 1) + number(2, 2));
  text += message(2, number(1, 1) + number(1, 2) + number(2, 42));
  text += message(4, number(1, 1) + message(4, number(1, 1) + number(2, 7)));
  text += message(4, number(1, 2) + message(4, number(1, 2)));
  text += message(5, number(1, 1) + number(2, 3) + number(4, 5));
  text += message(5, number(1, 2) + number(2, 4));
  return text;
}

TEST(Pprof, OfAnybodyIsRead) {
  for (const std::string& content : {small_profile(), gzipped(small_profile())}) {
    const Recording recording = read_text(content);
    EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("run < main", 42)));
    EXPECT_EQ(recording.measures().front().name, "allocations");
    EXPECT_EQ(recording.measures().front().given_name, "alloc_objects");
    EXPECT_EQ(place_of(recording, recording.frame(recording.innermost(recording.entry_stack(0)))), "run.cc:7");
    EXPECT_FALSE(recording.has_modules);
  }
}

TEST(Pprof, RefusesWhatDoesNotHoldTogether) {
  std::string missing = small_profile();
  missing += message(2, number(1, 9) + number(2, 1));
  EXPECT_THAT(refusal_of(missing), testing::EndsWith("there is no location 9"));
  std::string values = small_profile();
  values += message(2, number(1, 1) + number(2, 1) + number(2, 1));
  EXPECT_THAT(refusal_of(values), testing::EndsWith("a sample has 2 values for 1 sample types"));
  // A number where a message belongs.
  EXPECT_THAT(refusal_of(small_profile() + number(4, 1)), testing::HasSubstr("should be a message"));
}

Frame named(Recording& recording, std::string_view function, std::string_view linkage, std::uint32_t line) {
  Frame frame;
  frame.function = recording.text(function);
  frame.linkage_name = recording.text(linkage);
  frame.file = recording.text("/src/run.cpp");
  frame.module = recording.text("/bin/app");
  frame.line = line;
  return frame;
}

TEST(Pprof, KeepsEverythingThatARecordingHas) {
  Recording recording;
  recording.command = "./app --fast";
  recording.iterations = 1000;
  recording.notes = {"truncated: 3 stacks"};
  recording.has_modules = true;
  recording.main_module = recording.text("/bin/app");
  recording.add_measure({"allocations", "count", {}});
  recording.add_measure({"live_bytes", "bytes", {}});
  Frame inlined = named(recording, "run(int)", "_Z3runi", 7);
  inlined.inlined = true;
  Frame unknown;
  unknown.module = recording.text("/lib/libx.so");
  unknown.address = 0x1234;
  const std::array<FrameId, 3> frames = {recording.frame(inlined), recording.frame(named(recording, "main", "", 9)),
                                         recording.frame(unknown)};
  ASSERT_TRUE(recording.add(recording.stack(frames), std::array<Count, 2>{5, -40}, 3));
  ASSERT_TRUE(recording.add(recording.stack(frames), std::array<Count, 2>{1, 0}, 63));
  ASSERT_TRUE(recording.add_unlisted(std::array<Count, 2>{2, 8}));

  const Recording again = read_text(to_pprof(recording));
  EXPECT_EQ(again.command, recording.command);
  EXPECT_EQ(again.iterations, recording.iterations);
  EXPECT_EQ(again.notes, recording.notes);
  EXPECT_EQ(again.text(again.main_module), "/bin/app");
  EXPECT_EQ(again.totals(), recording.totals());
  EXPECT_EQ(again.unlisted(), recording.unlisted());
  ASSERT_EQ(again.entry_count(), 3);
  EXPECT_EQ(again.entry_size_class(0), 3);
  EXPECT_EQ(again.entry_size_class(1), 63);
  EXPECT_EQ(again.entry_size_class(2), Recording::k_any_size);
  const std::vector<FrameId> stack = again.frames_of(again.entry_stack(0));
  ASSERT_EQ(stack.size(), 3);
  EXPECT_TRUE(again.frame(stack[0]).inlined);
  EXPECT_EQ(again.text(again.frame(stack[0]).linkage_name), "_Z3runi");
  EXPECT_EQ(again.frame(stack[0]).line, 7);
  EXPECT_FALSE(again.frame(stack[1]).inlined);
  EXPECT_EQ(shown_name(again, again.frame(stack[2])), "libx.so+0x1234");
  EXPECT_EQ(to_pprof(again), to_pprof(recording));
}

}  // namespace
}  // namespace allocgate

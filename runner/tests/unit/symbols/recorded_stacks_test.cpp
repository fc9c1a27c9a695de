// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/recorded_stacks.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace allocgate {
namespace {

using testing::ElementsAre;

/// Names that the test makes up.
class PlayedNames final : public CodeNames {
public:
  std::map<std::uint64_t, std::vector<CodeFrame>> frames;

  std::size_t module(const std::filesystem::path& file, const std::string&) override {
    return file == "/bin/app" ? 0 : 1;
  }
  std::span<const CodeFrame> frames_at(std::size_t module, std::uint64_t address) override {
    static constexpr CodeFrame k_unknown;
    const auto known = frames.find(address);
    return module == 0 && known != frames.end() ? std::span<const CodeFrame>(known->second) : std::span(&k_unknown, 1);
  }
};

RecordedStack stack_of(std::vector<StackFrame> frames, std::uint64_t allocations, StackEnding ending = {}) {
  RecordedStack stack;
  stack.frames = std::move(frames);
  stack.ending = ending;
  stack.counters.allocations = allocations;
  stack.counters.bytes = allocations * 10;
  stack.counters.size_classes[4] = allocations;
  stack.counters.size_class_bytes[4] = allocations * 10;
  return stack;
}

StackSection section_of(std::vector<RecordedStack> stacks) {
  StackSection section;
  section.modules.resize(2);
  section.modules[0].path = "/bin/app";
  section.modules[1].path = "/lib/other.so";
  section.stacks = std::move(stacks);
  return section;
}

std::vector<std::string> shown(std::span<const std::string_view> symbols) {
  std::vector<std::string> names;
  for (const std::string_view symbol : symbols) {
    names.push_back(symbol.substr(0, 2) == "_Z" ? "C++ " + std::string(symbol) : std::string(symbol));
  }
  return names;
}

Recording recording_of_stack(RecordedStack stack, bool inlined = true) {
  PlayedNames names;
  names.frames[0x10] = {{"_Zinner", "/src/a.cpp", 5, true}, {"outer", "/src/a.cpp", 7, false}};
  names.frames[0x20] = {{"main", "/src/m.cpp", 9, false}};
  const std::vector<StackSection> sections = {section_of({std::move(stack)})};
  return recording_of(sections, names, shown, {.main_executable = "/bin/app", .source_root = {}, .inlined = inlined});
}

std::vector<std::string> names_of(const Recording& recording) {
  std::vector<std::string> names;
  for (const FrameId id : recording.frames_of(recording.entry_stack(0))) {
    names.emplace_back(recording.text(recording.frame(id).function));
  }
  return names;
}

TEST(RecordedStacks, HasInlinedFramesWithFileAndLine) {
  const Recording recording = recording_of_stack(stack_of({{0, 0x10}, {0, 0x20}}, 3));
  EXPECT_THAT(names_of(recording), ElementsAre("C++ _Zinner", "outer", "main"));
  const Frame& inner = recording.frame(recording.frames_of(recording.entry_stack(0))[0]);
  EXPECT_EQ(recording.text(inner.linkage_name), "_Zinner");
  EXPECT_EQ(recording.text(inner.file), "/src/a.cpp");
  EXPECT_EQ(recording.text(inner.module), "/bin/app");
  EXPECT_EQ(inner.line, 5u);
  EXPECT_TRUE(inner.inlined);
  EXPECT_EQ(inner.address, 0u);
  EXPECT_EQ(recording.text(recording.main_module), "/bin/app");
  EXPECT_THAT(recording.totals(), ElementsAre(3, 30));
  EXPECT_EQ(recording.entry_size_class(0), 4);
}

TEST(RecordedStacks, LeavesInlinedFramesOutWhenAsked) {
  const Recording recording = recording_of_stack(stack_of({{0, 0x10}, {0, 0x20}}, 3), false);
  EXPECT_THAT(names_of(recording), ElementsAre("outer", "main"));
}

TEST(RecordedStacks, KeepsTheAddressOfCodeWithoutAName) {
  const Recording recording = recording_of_stack(stack_of({{1, 0x77}, {0, 0x20}}, 1));
  EXPECT_THAT(names_of(recording), ElementsAre("", "main"));
  EXPECT_EQ(recording.frame(recording.frames_of(recording.entry_stack(0))[0]).address, 0x77u);
}

TEST(RecordedStacks, MarksWhatTheCaptureCouldNotReach) {
  const StackFrame inner{0, 0x20};
  EXPECT_THAT(names_of(recording_of_stack(stack_of({inner}, 1, StackEnding::cut))), ElementsAre("main", "[cut]"));
  EXPECT_THAT(names_of(recording_of_stack(stack_of({inner, {k_frames_cut, 0}, inner}, 1))),
              ElementsAre("main", "[cut]", "main"));
  EXPECT_THAT(names_of(recording_of_stack(stack_of({inner}, 1, StackEnding::no_rule))),
              ElementsAre("main", "[no unwind table]"));
  EXPECT_THAT(names_of(recording_of_stack(stack_of({inner}, 1, StackEnding::unreadable))),
              ElementsAre("main", "[no unwind table]"));
  EXPECT_THAT(names_of(recording_of_stack(stack_of({inner, {k_no_module, 0x7f00}}, 1, StackEnding::no_module))),
              ElementsAre("main", "[generated code]"));
}

TEST(RecordedStacks, AddsUpProcessesAndWhatHasNoStack) {
  PlayedNames names;
  std::vector<StackSection> sections = {section_of({stack_of({{0, 0x20}}, 3)}), section_of({stack_of({{0, 0x20}}, 4)})};
  sections[1].unattributed.allocations = 5;
  sections[1].unattributed.bytes = 500;
  const Recording recording = recording_of(sections, names, shown, {});
  EXPECT_THAT(recording.totals(), ElementsAre(12, 570));
  EXPECT_THAT(recording.unlisted(), ElementsAre(5, 500));
}

TEST(RecordedStacks, SaysWhatBecameOfTheBlocks) {
  RecordedStack stack = stack_of({{0, 0x20}}, 7);
  stack.life =
      StackLife{.deallocations = 5, .deallocated_bytes = 60, .temporary = 2, .live_bytes = 24, .peak_live_bytes = 48};
  std::vector<StackSection> sections = {section_of({stack})};
  sections[0].unattributed_life = StackLife{.deallocations = 1, .deallocated_bytes = 8, .live_bytes = -8};
  PlayedNames names;
  const Recording recording = recording_of(sections, names, shown, {});
  ASSERT_EQ(recording.measures().size(), 8u);
  EXPECT_THAT(recording.totals(), ElementsAre(7, 70, 1, 6, 68, 16, 48, 2));
  EXPECT_EQ(recording.measures()[2].name, "live_allocations");
  EXPECT_EQ(recording.measures()[7].name, "temporary_allocations");
}

}  // namespace
}  // namespace allocgate

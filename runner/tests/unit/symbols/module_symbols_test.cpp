// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What has no names; what has some is held against llvm-symbolizer in tests/symbols.
#include "symbols/module_symbols.hpp"

#include "base/file.hpp"
#include "symbols/symbolizer.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void expect_no_name(ModuleSymbols& module) {
  std::vector<CodeFrame> frames;
  module.append_frames(0x1234, frames);
  EXPECT_THAT(frames, ElementsAre(CodeFrame()));
  EXPECT_THAT(module.debug_files(), IsEmpty());
}

TEST(ModuleSymbols, SaysNothingOfWhatHasNoFile) {
  for (const char* name : {"", "linux-vdso.so.1"}) {
    ModuleSymbols module(name, "", {});
    expect_no_name(module);
    EXPECT_EQ(module.problem(), "");
  }
}

TEST(ModuleSymbols, SaysWhyAFileHasNoNames) {
  const TemporaryFolder folder;
  ModuleSymbols gone(folder.path() / "gone.so", "", {});
  expect_no_name(gone);
  EXPECT_THAT(gone.problem(), HasSubstr("gone.so is not there any more"));
  write_file_atomically(folder.path() / "text.so", "not a library");
  ModuleSymbols text(folder.path() / "text.so", "", {});
  expect_no_name(text);
  EXPECT_THAT(text.problem(), HasSubstr("text.so cannot be read"));
  ModuleSymbols other("/proc/self/exe", "0123", {});
  expect_no_name(other);
  EXPECT_THAT(other.problem(), HasSubstr("is not the file any more that ran (build id 0123, now "));
}

TEST(Symbolizer, SaysAProblemOnceAModule) {
  Symbolizer symbolizer({});
  const std::size_t module = symbolizer.module("/no/such/file.so", "01");
  EXPECT_EQ(symbolizer.module("/no/such/file.so", "01"), module);
  EXPECT_NE(symbolizer.module("/no/such/file.so", "02"), module);
  EXPECT_EQ(symbolizer.frames_at(module, 1).size(), 1u);
  EXPECT_EQ(symbolizer.frames_at(module, 2).size(), 1u);
  EXPECT_EQ(symbolizer.problems().size(), 1u);
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/find_program.hpp"

#include "scratch_folder.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

using Kind = FoundProgram::Kind;

TEST(FindProgram, LooksThroughTheFoldersInTheirOrder) {
  const ScratchFolder first;
  const ScratchFolder second;
  const auto program = second.write_program("tool", "#!/bin/sh\n");
  const std::string path = first.path().string() + ":" + second.path().string();
  EXPECT_EQ(find_program("tool", path).path, program);
  const auto earlier = first.write_program("tool", "#!/bin/sh\n");
  EXPECT_EQ(find_program("tool", path).path, earlier);
}

TEST(FindProgram, PassesOverWhatIsNotExecutable) {
  const ScratchFolder first;
  const ScratchFolder second;
  const auto data = first.write("tool", "");
  const std::string path = first.path().string() + ":" + second.path().string();
  EXPECT_EQ(find_program("tool", path).kind, Kind::not_executable);
  EXPECT_EQ(find_program("tool", path).path, data);
  const auto program = second.write_program("tool", "");
  EXPECT_EQ(find_program("tool", path).path, program);
}

TEST(FindProgram, TakesANameWithASlashAsItIs) {
  const ScratchFolder scratch;
  const auto program = scratch.write_program("tool", "");
  EXPECT_EQ(find_program(program.string(), "").kind, Kind::found);
  EXPECT_EQ(find_program("./tool", "", scratch.path()).kind, Kind::found);
  EXPECT_EQ(find_program("./tool", "", scratch.path()).path, "./tool");
}

TEST(FindProgram, NamesWhatIsNotThere) {
  EXPECT_EQ(find_program("no-such-tool", "/usr/bin:/bin").kind, Kind::not_found);
  EXPECT_EQ(find_program("", "/usr/bin").kind, Kind::not_found);
  EXPECT_EQ(find_program("/usr", "").kind, Kind::not_executable);
}

TEST(EnvironmentValue, FindsTheWholeName) {
  const std::vector<std::string> environment = {"PATHS=no", "PATH=yes=1"};
  EXPECT_EQ(environment_value(environment, "PATH"), "yes=1");
  EXPECT_EQ(environment_value(environment, "PAT"), std::nullopt);
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/commands.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string refusal_of(const std::vector<std::string>& arguments) {
  try {
    find_command(arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return "found";
}

TEST(Commands, EveryEntryMakesTheCommandOfItsName) {
  for (const CommandEntry& entry : all_commands()) {
    EXPECT_EQ(entry.make()->help().name, entry.name);
  }
}

TEST(FindCommand, TakesNamesOfOneAndOfTwoWords) {
  const std::vector<std::string> one = {"stat", "--", "ls"};
  EXPECT_EQ(find_command(one).words, 1U);
  const std::vector<std::string> two = {"baseline", "update", "-m", "x"};
  EXPECT_EQ(find_command(two).words, 2U);
  EXPECT_EQ(find_command(two).command->help().name, "baseline update");
}

TEST(FindCommand, SaysTheNearestName) {
  EXPECT_THAT(refusal_of({"chekc"}), HasSubstr("did you mean check"));
  EXPECT_THAT(refusal_of({"baseline", "updaet"}), HasSubstr("did you mean baseline update"));
  EXPECT_THAT(refusal_of({"xyzzy"}), Not(HasSubstr("did you mean")));
}

}  // namespace
}  // namespace allocgate

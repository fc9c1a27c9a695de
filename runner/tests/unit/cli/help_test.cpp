// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/help.hpp"

#include "cli/commands.hpp"
#include "report/text_width.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::size_t k_columns = 80;

void expect_narrow(const std::string& page) {
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(display_width(line), k_columns) << line;
    EXPECT_FALSE(!line.empty() && line.back() == ' ') << line;
  }
}

TEST(CommandHelp, SaysWhatEveryCommandMustSay) {
  for (const CommandEntry& entry : all_commands()) {
    SCOPED_TRACE(entry.name);
    const std::unique_ptr<Command> command = entry.make();
    const std::string page = command_help(*command);
    expect_narrow(page);
    EXPECT_THAT(page, HasSubstr("Usage: allocgate " + std::string(entry.name)));
    EXPECT_THAT(page, HasSubstr("\nOptions:\n"));
    EXPECT_THAT(page, HasSubstr("\nExit codes:\n"));
    EXPECT_GE(command->help().examples.size(), 2U);
    for (const HelpExample& example : command->help().examples) {
      EXPECT_EQ(example.command_line.find("allocgate " + std::string(entry.name)), 0U) << example.command_line;
    }
  }
}

TEST(CommandHelp, HidesWhatIsForTheDoctorAlone) {
  const std::vector<std::string> doctor = {"doctor"};
  EXPECT_THAT(command_help(*find_command(doctor).command), Not(HasSubstr("--probe")));
}

TEST(OverviewHelp, ListsEveryCommandOnce) {
  const std::string page = overview_help();
  expect_narrow(page);
  for (const CommandEntry& entry : all_commands()) {
    EXPECT_THAT(page, HasSubstr("\n  " + std::string(entry.name) + " "));
  }
}

TEST(FamilyHelp, ListsTheFamilyAlone) {
  const std::string page = family_help("baseline");
  EXPECT_THAT(page, HasSubstr("baseline show"));
  EXPECT_THAT(page, Not(HasSubstr("doctor")));
}

}  // namespace
}  // namespace allocgate

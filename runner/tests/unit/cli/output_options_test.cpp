// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/output_options.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(WantsColor, OptionOverEnvironmentOverTerminal) {
  const ColorEnvironment plain{std::nullopt, std::nullopt, "xterm"};
  EXPECT_TRUE(wants_color("auto", plain, true));
  EXPECT_FALSE(wants_color("auto", plain, false));

  const ColorEnvironment everything{"1", "1", "dumb"};
  EXPECT_TRUE(wants_color("always", everything, false));
  EXPECT_FALSE(wants_color("auto", everything, true)) << "NO_COLOR is stronger than CLICOLOR_FORCE";
  EXPECT_FALSE(wants_color("never", {std::nullopt, "1", "xterm"}, true));
}

TEST(WantsColor, ForceOverDumbOverTerminal) {
  EXPECT_TRUE(wants_color("auto", {std::nullopt, "1", "dumb"}, false));
  EXPECT_FALSE(wants_color("auto", {std::nullopt, std::nullopt, "dumb"}, true));
  EXPECT_FALSE(wants_color("auto", {std::nullopt, std::nullopt, std::nullopt}, true));
}

TEST(WantsColor, EmptyVariablesSayNothing) {
  EXPECT_TRUE(wants_color("auto", {"", std::nullopt, "xterm"}, true));
  EXPECT_FALSE(wants_color("auto", {std::nullopt, "", "xterm"}, false));
  EXPECT_FALSE(wants_color("auto", {std::nullopt, "0", "xterm"}, false));
}

}  // namespace
}  // namespace allocgate

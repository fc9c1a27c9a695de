// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/environment.hpp"

#include "scratch_folder.hpp"

#include <allocgate/hook_record.h>
#include <allocgate/stack_record.h>

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(Environment, FixedDoesNotDependOnTheCaller) {
  const auto before = Environment::fixed().entries();
  const ScopedVariable home("HOME", "/somewhere/else");
  const ScopedVariable path("PATH", "/somewhere");
  const ScopedVariable language("LC_ALL", "de_DE.UTF-8");
  EXPECT_EQ(Environment::fixed().entries(), before);
}

TEST(Environment, FixedPassesOnWhereLibrariesAre) {
  const ScopedVariable libraries("LD_LIBRARY_PATH", "/opt/lib");
  EXPECT_EQ(Environment::fixed().get("LD_LIBRARY_PATH"), "/opt/lib");
}

TEST(Environment, InheritedLeavesOutWhatAnOuterAllocgateSaid) {
  const ScopedVariable record(ALLOCGATE_ENV_RECORD, "/some/record");
  const ScopedVariable stacks(ALLOCGATE_ENV_STACKS, "/some/folder");
  const ScopedVariable paused(ALLOCGATE_ENV_STACKS_PAUSED, "1");
  const ScopedVariable window(ALLOCGATE_ENV_STACKS_WINDOW, "3");
  const ScopedVariable live(ALLOCGATE_ENV_STACKS_LIVE, "1");
  const ScopedVariable sample(ALLOCGATE_ENV_STACKS_SAMPLE, "1000");
  const ScopedVariable other("ALLOCGATE_TEST_OTHER", "kept");
  const Environment environment = Environment::inherited();
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_RECORD), std::nullopt);
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_STACKS), std::nullopt);
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_STACKS_PAUSED), std::nullopt);
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_STACKS_WINDOW), std::nullopt);
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_STACKS_LIVE), std::nullopt);
  EXPECT_EQ(environment.get(ALLOCGATE_ENV_STACKS_SAMPLE), std::nullopt);
  EXPECT_EQ(environment.get("ALLOCGATE_TEST_OTHER"), "kept");
}

TEST(Environment, SetReplaces) {
  Environment environment;
  environment.set("A", "1");
  environment.set("AB", "2");
  environment.set("A", "3");
  EXPECT_EQ(environment.entries(), (std::vector<std::string>{"AB=2", "A=3"}));
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What the record says of the programs that a process starts, of its end, and of calls that do not reach the hooks.
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <optional>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

class StartsTest : public testing::TestWithParam<Below> {
protected:
  void SetUp() override { ALLOCGATE_SKIP_IF_MISSING(GetParam()); }

  RecordedRun starts(const std::string& name, RunOptions options = {}) {
    options.preload_after = GetParam().library;
    return run({probe("starts", GetParam()), name, "10"}, options);
  }
};

TEST_P(StartsTest, WhatIsNotFoundIsTakenBack) {
  const RecordedRun run = starts("not_found");
  EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
  EXPECT_TRUE(run.executions.empty()) << "and takes no room";
}

TEST_P(StartsTest, AnImageWithoutTheHooksIsKnownByName) {
  const RecordedRun run = starts("lost");
  EXPECT_EQ(run.exit_code, 0);
  ASSERT_EQ(run.executions.size(), 2u);
  EXPECT_EQ(run.executions[0].program, "env");
  EXPECT_EQ(run.executions[0].pid, run.processes[0].pid);
  EXPECT_TRUE(run.executions[0].image_is_ours);
  EXPECT_EQ(run.executions[1].program, "/bin/true");
  EXPECT_FALSE(run.executions[1].image_is_ours);
  EXPECT_EQ(run.executions[1].state, uint32_t{ALLOCGATE_EXECUTION_ANNOUNCED});
}

TEST_P(StartsTest, ChildrenAreKnownByName) {
  const RecordedRun run = starts("spawned");
  EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
  ASSERT_EQ(run.executions.size(), 3u);
  EXPECT_EQ(run.executions[0].program, "true");
  EXPECT_EQ(run.executions[0].parent_pid, run.processes[0].pid);
  EXPECT_NE(run.executions[0].pid, 0);
  EXPECT_EQ(run.executions[1].program, "/bin/true");
  EXPECT_EQ(run.executions[1].parent_pid, run.processes[0].pid);
  EXPECT_NE(run.executions[1].pid, run.processes[0].pid);
  EXPECT_FALSE(run.executions[1].image_is_ours);
  EXPECT_EQ(run.executions[2].program, "/bin/sh");
  EXPECT_EQ(run.executions[2].pid, 0);
  EXPECT_EQ(run.executions[2].parent_pid, run.processes[0].pid);
  EXPECT_TRUE(run.executions[0].image_is_ours);
}

TEST_P(StartsTest, AnUnfollowedChildIsNotAnnounced) {
  const RecordedRun run = starts("spawned", {.follow_children = false});
  EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
  EXPECT_TRUE(run.executions.empty());
}

TEST_P(StartsTest, EndsAndTheirCodesAreKnown) {
  const RecordedRun run = starts("ended");
  EXPECT_EQ(run.signal, SIGABRT);
  ASSERT_EQ(run.processes.size(), 6u);
  EXPECT_EQ(run.processes[0].state, uint32_t{ALLOCGATE_PROCESS_RUNNING}) << "its vfork child's _exit is not its own";
  const std::optional<int> codes[] = {3, 4, 5, 7, GetParam().musl ? std::nullopt : std::optional(9)};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(run.processes[i + 1].state, uint32_t{ALLOCGATE_PROCESS_EXITED});
    EXPECT_EQ(run.processes[i + 1].exit_code, codes[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Over, StartsTest, testing::ValuesIn(k_below), name_of);

TEST(LoaderTest, AnObjectBoundPastTheHooksIsNamed) {
  for (const char* name : {"deepbound", "deepbound_lazily"}) {
    SCOPED_TRACE(name);
    const RecordedRun run = hooks_test::run({probe("loader"), name, "10"});
    EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
    ASSERT_EQ(run.processes.size(), 1u);
    EXPECT_TRUE(run.processes[0].flags & ALLOCGATE_PROCESS_SHADOWED);
    EXPECT_EQ(std::filesystem::path(run.processes[0].uncounted_object).filename(), "libprobe_plain_plugin.so");
  }
}

TEST(LoaderTest, AnotherNamespaceIsNamed) {
  const RecordedRun run = hooks_test::run({probe("loader"), "other_namespace", "10"});
  EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_TRUE(run.processes[0].flags & ALLOCGATE_PROCESS_OTHER_NAMESPACE);
  EXPECT_EQ(std::filesystem::path(run.processes[0].uncounted_object).filename(), "libprobe_plain_plugin.so");
}

TEST(LoaderTest, OrdinaryObjectsAreNotNamed) {
  for (const char* name : {"local_plugin", "plain_plugin"}) {
    SCOPED_TRACE(name);
    const RecordedRun run = hooks_test::run({probe("loader"), name, "10"});
    EXPECT_EQ(run.exit_code, 0) << "line, modulo 200, plus 1";
    ASSERT_EQ(run.processes.size(), 1u);
    EXPECT_EQ(run.processes[0].flags, 0u);
    EXPECT_EQ(run.processes[0].uncounted_object, "");
  }
}

}  // namespace
}  // namespace allocgate::hooks_test

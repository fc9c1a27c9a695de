// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <gtest/gtest.h>

#include "below.hpp"

namespace allocgate::hooks_test {
namespace {

class ProcessesTest : public testing::TestWithParam<Below> {
protected:
  void SetUp() override { ALLOCGATE_SKIP_IF_MISSING(GetParam()); }

  RecordedRun processes(const std::string& name, long count, RunOptions options = {}) {
    options.preload_after = GetParam().library;
    RecordedRun result = run({probe("processes", GetParam()), name, std::to_string(count)}, options);
    EXPECT_EQ(result.exit_code, 0) << name << ": " << result.output;
    EXPECT_EQ(result.images_not_counted, 0u);
    return result;
  }
};

TEST_P(ProcessesTest, AForkedChildHasAnEntryOfItsOwn) {
  for (const char* name : {"fork", "_Fork", "raw_fork", "confined_fork"}) {
    SCOPED_TRACE(name);
    if (GetParam().musl && std::string(name) == "_Fork" &&
        run({probe("processes", GetParam()), name, "0"}).exit_code != 0) {
      continue;
    }
    const RecordedRun run = processes(name, 25);
    ASSERT_EQ(run.processes.size(), 2u);
    EXPECT_EQ(run.processes[0].counters.size_classes[7], 10u);
    EXPECT_EQ(run.processes[1].counters.size_classes[7], 25u);
    EXPECT_EQ(run.processes[1].flags & ALLOCGATE_PROCESS_FORKED, uint32_t{ALLOCGATE_PROCESS_FORKED});
    EXPECT_EQ(run.processes[1].parent_pid, run.processes[0].pid);
    EXPECT_EQ(run.processes[1].executable, run.processes[0].executable);
    EXPECT_NE(run.processes[1].pid, run.processes[0].pid);
  }
}

TEST_P(ProcessesTest, AVforkedChildCountsAsItsParent) {
  const RecordedRun run = processes("vfork", 25);
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_EQ(run.total.size_classes[7], 35u);
}

TEST_P(ProcessesTest, AChildMayStartThreadsFirst) {
  const RecordedRun run = processes("fork_then_thread", 25);
  ASSERT_EQ(run.processes.size(), 2u);
  EXPECT_EQ(run.processes[0].counters.size_classes[7], 10u);
  EXPECT_EQ(run.processes[1].counters.size_classes[7], 35u);
}

TEST_P(ProcessesTest, ManyForksAddUp) {
  const RecordedRun run = processes("many_forks", 5, {.processes = 256});
  EXPECT_EQ(run.processes.size(), 201u);
  EXPECT_EQ(run.total.size_classes[7], 10u + 200 * 5);
}

TEST_P(ProcessesTest, AnExecAddsAnEntryOfTheSamePid) {
  const RecordedRun run = processes("exec_chain", 5);
  ASSERT_EQ(run.processes.size(), 6u);
  for (const RecordedProcess& process : run.processes) {
    EXPECT_EQ(process.pid, run.processes[0].pid);
    EXPECT_EQ(process.counters.size_classes[7], 10u);
  }
  EXPECT_EQ(run.processes[0].state, uint32_t{ALLOCGATE_PROCESS_RUNNING});
  EXPECT_EQ(run.processes[5].state, uint32_t{ALLOCGATE_PROCESS_EXITED});
}

TEST_P(ProcessesTest, WithoutChildrenOnlyTheFirstProcessCounts) {
  const RecordedRun forked = processes("fork", 25, {.follow_children = false});
  ASSERT_EQ(forked.processes.size(), 1u);
  EXPECT_EQ(forked.total.size_classes[7], 10u);

  const RecordedRun replaced = processes("exec_chain", 5, {.follow_children = false});
  EXPECT_EQ(replaced.processes.size(), 6u) << "still the same process";
}

INSTANTIATE_TEST_SUITE_P(Over, ProcessesTest, testing::ValuesIn(k_below), name_of);

TEST(SandboxTest, WithoutMadviseForksAreStillSeen) {
  if (run({probe("forbid_madvise"), "/bin/true"}, {.with_record = false}).exit_code == 77) {
    GTEST_SKIP() << "this system does not let a process forbid itself a system call";
  }
  for (const char* name : {"fork", "raw_fork", "fork_then_thread"}) {
    SCOPED_TRACE(name);
    const RecordedRun run =
        hooks_test::run({probe("processes"), name, "25"}, {.shell_prefix = "exec '" + probe("forbid_madvise") + "'"});
    EXPECT_EQ(run.exit_code, 0) << run.output;
    ASSERT_EQ(run.processes.size(), 2u);
    EXPECT_EQ(run.processes[0].counters.size_classes[7], 10u);
    EXPECT_EQ(run.processes[1].counters.size_classes[7], std::string(name) == "fork_then_thread" ? 35u : 25u);
  }
}

TEST(RecordTest, AFullListOfProcessesIsSaid) {
  const RecordedRun run = hooks_test::run({probe("processes"), "many_forks", "5"}, {.blocks = 256, .processes = 101});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.images_not_counted, 100u);
  EXPECT_EQ(run.processes.size(), 101u);
  EXPECT_EQ(run.total.size_classes[7], 10u + 100 * 5);
}

TEST(RecordTest, AFullListOfBlocksIsSaid) {
  const RecordedRun run = hooks_test::run({probe("threads"), "at_once", "1000"}, {.blocks = 4});
  EXPECT_EQ(run.exit_code, 0);
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_TRUE(run.processes[0].flags & ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED);
  EXPECT_EQ(run.processes[0].blocks, 4u);
}

TEST(RecordTest, AnotherVersionIsLeftAlone) {
  const RecordedRun run = hooks_test::run({probe("functions"), "malloc", "10"}, {.version = 77});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
  EXPECT_EQ(run.images_not_counted, 1u);
  EXPECT_TRUE(run.processes.empty());
}

TEST(RecordTest, AnUnreadableRecordDisturbsNobody) {
  const RecordedRun run = hooks_test::run({probe("functions"), "malloc", "10"},
                                          {.with_record = false, .environment = {"ALLOCGATE_RECORD=/nowhere/record"}});
  EXPECT_EQ(run.exit_code, 0);
  EXPECT_EQ(run.output, "");
}

TEST(RecordTest, ClosedDescriptorsAreCountedAllTheSame) {
  const RecordedRun run =
      hooks_test::run({probe("functions"), "malloc", "10"}, {.shell_prefix = "exec 0<&- 1>&- 2>&-;"});
  EXPECT_EQ(run.exit_code, 0);
  ASSERT_EQ(run.processes.size(), 1u);
  EXPECT_EQ(run.total.size_classes[7], 10u);
}

}  // namespace
}  // namespace allocgate::hooks_test

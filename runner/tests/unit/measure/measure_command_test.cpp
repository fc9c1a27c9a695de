// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/measure_workload.hpp"

#include "base/error.hpp"
#include "scripted_launcher.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include <elf.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr int k_child = PlayedProcess::k_pid + 1;

MeasureOptions options() {
  MeasureOptions options;
  options.installation.hooks = "/proc/self/exe";
  return options;
}

CommandResult measure(ScriptedLauncher::Script script) {
  ScriptedLauncher launcher(std::move(script));
  return measure_command({"sh", "-c", "a b"}, options(), launcher);
}

TEST(MeasureCommand, AddsUpTheProcesses) {
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    process.image(PlayedProcess::k_pid, "/bin/sh");
    process.block().size_classes[0] = 3;
    auto& child = process.image(k_child, "/bin/a");
    child.parent_pid = PlayedProcess::k_pid;
    child.exit_code = 9;
    process.block().size_classes[1] = 4;
  });
  const CommandResult result = measure_command({"sh", "-c", "a b"}, options(), launcher);
  EXPECT_EQ(launcher.launches(), 1U) << "commands have side effects";
  EXPECT_EQ(launcher.specs().front().output, LaunchSpec::Output::inherit);
  const WorkloadResult& workload = result.workload;
  EXPECT_EQ(workload.status, WorkloadStatus::ok) << workload.error;
  EXPECT_EQ(workload.name, "sh -c 'a b'");
  EXPECT_EQ(workload.measures.at("allocations").median, 7);
  EXPECT_EQ(workload.measures.at("allocations").linear, std::nullopt);
  EXPECT_EQ(workload.measures.count("open_fds"), 0U) << "absent for whole programs";
  EXPECT_EQ(workload.size_classes[1], 4U);
  ASSERT_EQ(workload.processes.size(), 2U);
  EXPECT_EQ(workload.processes[0].executable, "/bin/sh");
  EXPECT_EQ(workload.processes[1].parent_pid, PlayedProcess::k_pid);
  EXPECT_EQ(workload.processes[1].exit_code, 9);
  EXPECT_EQ(workload.processes[1].measures.at("allocations"), 4);
}

TEST(MeasureCommand, CountsACommandThatFails) {
  const CommandResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image();
    process.block().size_classes[0] = 3;
    outcome.exit_code = 2;
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok);
  EXPECT_EQ(result.outcome.exit_code, 2);
  EXPECT_EQ(result.workload.measures.at("allocations").median, 3);
  EXPECT_EQ(result.workload.processes.front().exit_code, 2);
}

TEST(MeasureCommand, CountsACommandThatIsKilled) {
  const CommandResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image().state = ALLOCGATE_PROCESS_RUNNING;
    process.block().size_classes[0] = 3;
    outcome.kind = LaunchOutcome::Kind::signalled;
    outcome.signal = SIGKILL;
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok);
  EXPECT_EQ(result.workload.measures.at("allocations").median, 3);
  EXPECT_EQ(result.workload.processes.front().end, ProcessEnd::signalled);
  EXPECT_EQ(result.workload.processes.front().exit_code, std::nullopt);
}

TEST(MeasureCommand, FollowsAnExec) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image(PlayedProcess::k_pid, "/bin/sh").state = ALLOCGATE_PROCESS_RUNNING;
    process.image(PlayedProcess::k_pid, "/bin/a");
  });
  ASSERT_EQ(result.workload.processes.size(), 2U);
  EXPECT_EQ(result.workload.processes[0].end, ProcessEnd::replaced);
  EXPECT_EQ(result.workload.processes[1].end, ProcessEnd::exited);
  EXPECT_EQ(result.workload.processes[1].exit_code, 0);
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok);
}

TEST(MeasureCommand, NamesAChildWhoseEndNobodySaw) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    auto& child = process.image(k_child, "/bin/sh");
    child.state = ALLOCGATE_PROCESS_RUNNING;
    child.flags = ALLOCGATE_PROCESS_FORKED;
  });
  EXPECT_THAT(result.workload.notes, Contains(HasSubstr("1 of the processes ended by a signal")));
  EXPECT_EQ(result.workload.processes[1].end, std::nullopt);
}

CommandResult measure_end_as(std::string name) {
  return measure([&](auto& process, unsigned, auto& outcome) {
    process.image(PlayedProcess::k_pid, "/usr/bin/env").state = ALLOCGATE_PROCESS_RUNNING;
    outcome.last_name = std::move(name);
  });
}

TEST(MeasureCommand, IsBlindWhenTheCommandBecameAnotherProgram) {
  const CommandResult result = measure_end_as("static-tool");
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  EXPECT_THAT(result.workload.error, HasSubstr("replaced itself by static-tool"));
}

TEST(MeasureCommand, IsNotBlindWhenTheCommandLeftByExit) {
  EXPECT_EQ(measure_end_as("env").workload.status, WorkloadStatus::ok);
  EXPECT_EQ(measure_end_as("sh").workload.status, WorkloadStatus::ok) << "the name it was started by";
  EXPECT_EQ(measure_end_as("").workload.status, WorkloadStatus::ok);
}

TEST(MeasureCommand, DoesNotTakeANameForAProof) {
  const CommandResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image(PlayedProcess::k_pid, "/usr/bin/server").state = ALLOCGATE_PROCESS_RUNNING;
    outcome.kind = LaunchOutcome::Kind::signalled;
    outcome.signal = SIGTERM;
    outcome.last_name = "main-thread";
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok) << result.workload.error;
}

TEST(MeasureCommand, IsBlindByNameWhenAChildHasNoHooks) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    process.block().size_classes[0] = 3;
    process.announce(k_child, "/opt/cleared");
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  EXPECT_THAT(result.workload.error,
              HasSubstr("/opt/cleared (process 4000002) is not counted: the hooks did not start"));
  EXPECT_THAT(result.workload.notes, Not(Contains(HasSubstr("unseen"))));
  ASSERT_EQ(result.workload.processes.size(), 2U);
  EXPECT_EQ(result.workload.processes[1].executable, "/opt/cleared");
  EXPECT_EQ(result.workload.processes[1].parent_pid, PlayedProcess::k_pid);
  EXPECT_TRUE(result.workload.processes[1].measures.empty()) << "a zero would look like a count";
}

TEST(MeasureCommand, NamesAChildWhoseHooksCouldNotMapTheRecord) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    process.announce(k_child, "/opt/tight");
    process.header().images_not_counted = 1;
  });
  EXPECT_THAT(result.workload.error, HasSubstr("/opt/tight (process 4000002) is not counted: the hooks there are of"));
}

TEST(MeasureCommand, NotesWhatNoHookOfMallocSees) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    for (const int pid : {PlayedProcess::k_pid, k_child}) {
      auto& image = process.image(pid, "/opt/pools");
      image.flags = ALLOCGATE_PROCESS_OWN_NEW | ALLOCGATE_PROCESS_OTHER_NAMESPACE;
      std::strcpy(image.uncounted_object, "/opt/libown.so");
    }
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok) << result.workload.error;
  EXPECT_THAT(result.workload.notes, Contains(HasSubstr("/opt/libown.so has its own operator new")));
  EXPECT_THAT(result.workload.notes, Contains(HasSubstr("/opt/libown.so was loaded with a C library of its own")));
  EXPECT_EQ(result.workload.notes.size(), 3U) << "each once, and the one about the peak";
}

TEST(MeasureCommand, NamesAFewOfManyBlindChildren) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    for (int child = 0; child < 5; ++child) {
      process.announce(k_child + child, "/opt/cleared");
    }
  });
  EXPECT_THAT(result.workload.error, HasSubstr("(process 4000004) and 2 more are not counted: "));
}

TEST(MeasureCommand, ReplacesTheImageThatBecameABlindProgram) {
  const CommandResult result = measure([](auto& process, unsigned, auto& outcome) {
    process.image(PlayedProcess::k_pid, "/bin/sh").state = ALLOCGATE_PROCESS_RUNNING;
    process.announce(PlayedProcess::k_pid, "/opt/cleared");
    outcome.exit_code = 4;
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  ASSERT_EQ(result.workload.processes.size(), 2U);
  EXPECT_EQ(result.workload.processes[0].end, ProcessEnd::replaced);
  EXPECT_EQ(result.workload.processes[1].end, ProcessEnd::exited);
  EXPECT_EQ(result.workload.processes[1].exit_code, 4);
}

TEST(MeasureCommand, LeavesChildrenAloneWhenTheyAreNotCounted) {
  MeasureOptions how = options();
  how.follow_children = false;
  ScriptedLauncher launcher([](auto& process, unsigned, auto&) {
    process.image();
    process.announce(k_child, "/opt/cleared");
  });
  const CommandResult result = measure_command({"sh", "-c", "a b"}, how, launcher);
  EXPECT_EQ(result.workload.status, WorkloadStatus::ok) << result.workload.error;
  EXPECT_EQ(result.workload.processes.size(), 1U);
}

TEST(MeasureCommand, CannotTellAfterTooManyPrograms) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    process.header().next_execution = process.header().execution_capacity + 1;
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  EXPECT_THAT(result.workload.error, HasSubstr("more than 2048 programs"));
}

TEST(MeasureCommand, TellsHooksOfAnotherVersionFromAFullRecord) {
  const auto error_of = [](std::uint32_t images) {
    return measure([&](auto& process, unsigned, auto&) {
             process.header().images_not_counted = 1;
             process.header().next_process = images;
           })
        .workload.error;
  };
  EXPECT_THAT(error_of(0), HasSubstr("of another version"));
  EXPECT_THAT(error_of(ALLOCGATE_RECORD_DEFAULT_PROCESSES + 1), HasSubstr("has room for (2048 processes"));
}

TEST(MeasureCommand, DoesNotStartWhatCannotBeCounted) {
  const TemporaryFolder folder;
  std::filesystem::path program = folder.path() / "static";
  Elf64_Ehdr header{};
  std::ifstream("/proc/self/exe", std::ios::binary).read(reinterpret_cast<char*>(&header), sizeof header);
  header.e_phnum = header.e_shnum = 0;  // without a loader
  std::ofstream(program, std::ios::binary).write(reinterpret_cast<const char*>(&header), sizeof header);
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  ScriptedLauncher launcher([](auto&, unsigned, auto&) {});
  const CommandResult result = measure_command({program.string()}, options(), launcher);
  EXPECT_FALSE(result.started);
  EXPECT_EQ(launcher.launches(), 0U);
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  EXPECT_THAT(result.workload.error, HasSubstr("is static"));
  WorkloadInfo workload;
  workload.kind = SuiteKind::command;
  workload.command = {program.string()};
  EXPECT_EQ(measure_workload(workload, options(), launcher).status, WorkloadStatus::blind);
  EXPECT_EQ(launcher.launches(), 0U);
}

TEST(MeasureCommand, NamesAChildThatStillRuns) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) {
    process.image();
    process.image(::getpid(), "/bin/daemon").state = ALLOCGATE_PROCESS_RUNNING;
  });
  EXPECT_THAT(result.workload.notes, Contains(HasSubstr("was still running")));
  EXPECT_EQ(result.workload.processes[1].end, ProcessEnd::running);
}

TEST(MeasureCommand, IsBlindWhenTheCommandItselfWasNotSeen) {
  const CommandResult result = measure([](auto& process, unsigned, auto&) { process.image(k_child, "/bin/a"); });
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  ASSERT_EQ(result.workload.processes.size(), 2U);
  EXPECT_EQ(result.workload.processes[0].pid, PlayedProcess::k_pid);
  EXPECT_TRUE(result.workload.processes[0].measures.empty());
}

TEST(MeasureCommand, ShowsNoZeroesWhereNothingWasCounted) {
  const CommandResult result = measure([](auto&, unsigned, auto&) {});
  EXPECT_EQ(result.workload.status, WorkloadStatus::blind);
  EXPECT_TRUE(result.workload.measures.empty());
}

TEST(MeasureCommand, TellsThatItCannotBeStarted) {
  const CommandResult result = measure([](auto&, unsigned, auto& outcome) {
    outcome.kind = LaunchOutcome::Kind::not_found;
    outcome.reason = "sh: no such program in PATH";
  });
  EXPECT_EQ(result.workload.status, WorkloadStatus::failed);
  EXPECT_EQ(result.outcome.kind, LaunchOutcome::Kind::not_found);
  EXPECT_TRUE(result.workload.processes.empty());
}

TEST(MeasureCommand, NeedsACommand) {
  ScriptedLauncher launcher([](auto&, unsigned, auto&) {});
  EXPECT_THROW(measure_command({}, options(), launcher), Error);
}

}  // namespace
}  // namespace allocgate

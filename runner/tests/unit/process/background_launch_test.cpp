// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/background_launch.hpp"

#include "base/error.hpp"
#include "process/alive.hpp"
#include "process/environment.hpp"
#include "process/open_descriptors.hpp"
#include "scratch_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include <csignal>

namespace allocgate {
namespace {

using Kind = LaunchOutcome::Kind;
using std::chrono::milliseconds;

LaunchSpec shell(const std::string& script) {
  LaunchSpec spec;
  spec.argv = {"/bin/sh", "-c", script};
  spec.environment = Environment::fixed().entries();
  return spec;
}

std::int64_t pid_in(const std::filesystem::path& file) {
  std::int64_t pid = 0;
  for (int attempt = 0; attempt < 2000 && pid == 0; ++attempt) {
    std::ifstream(file) >> pid;
    std::this_thread::sleep_for(milliseconds(5));
  }
  return pid;
}

TEST(BackgroundLaunch, RunsUntilItIsStopped) {
  const ScratchFolder scratch;
  PosixLauncher launcher;
  BackgroundLaunch server(launcher, shell("echo here; echo $$ > " + (scratch.path() / "pid").string() +
                                          "; trap 'exit 7' TERM; while :; do sleep 0.01; done"));
  const std::int64_t pid = pid_in(scratch.path() / "pid");
  EXPECT_TRUE(is_alive(pid));
  EXPECT_FALSE(server.ends_within(milliseconds(1)));
  const LaunchOutcome outcome = server.stop();
  EXPECT_EQ(outcome.kind, Kind::exited);
  EXPECT_EQ(outcome.exit_code, 7) << "SIGTERM comes first";
  EXPECT_TRUE(outcome.stopped);
  EXPECT_EQ(outcome.pid, pid);
  EXPECT_THAT(outcome.last_lines, testing::StartsWith("here"));
}

TEST(BackgroundLaunch, KillsWhatDoesNotEndWithAllItStarted) {
  const ScratchFolder scratch;
  const std::string child = (scratch.path() / "child").string();
  PosixLauncher launcher;
  LaunchSpec spec = shell("trap '' TERM; setsid sleep 1000 & echo $! > " + child + "; while :; do sleep 0.01; done");
  spec.grace = milliseconds(50);
  BackgroundLaunch server(launcher, spec);
  const std::int64_t orphan = pid_in(child);
  const LaunchOutcome outcome = server.stop();
  EXPECT_EQ(outcome.kind, Kind::signalled);
  EXPECT_EQ(outcome.signal, SIGKILL);
  EXPECT_FALSE(is_alive(orphan));
}

TEST(BackgroundLaunch, EndsWithItsOwner) {
  const ScratchFolder scratch;
  PosixLauncher launcher;
  std::int64_t pid = 0;
  {
    const BackgroundLaunch server(launcher,
                                  shell("echo $$ > " + (scratch.path() / "pid").string() + "; exec sleep 1000"));
    pid = pid_in(scratch.path() / "pid");
  }
  EXPECT_GT(pid, 0);
  EXPECT_FALSE(is_alive(pid));
}

TEST(BackgroundLaunch, TellsAnEndByItself) {
  const ScratchFolder scratch;
  PosixLauncher launcher;
  BackgroundLaunch server(launcher,
                          shell("sleep 1000 & echo $! > " + (scratch.path() / "child").string() + "; exit 3"));
  EXPECT_TRUE(server.ends_within(std::chrono::minutes(1)));
  const LaunchOutcome outcome = server.stop();
  EXPECT_EQ(outcome.exit_code, 3);
  EXPECT_FALSE(outcome.stopped);
  EXPECT_FALSE(is_alive(pid_in(scratch.path() / "child"))) << "what it leaves running goes with it";
}

TEST(ResourceUse, IsOfTheProgram) {
  PosixLauncher launcher;
  const ResourceUse sleeping = launcher.launch(shell("exec sleep 0.2")).used;
  EXPECT_GE(sleeping.wall_time, milliseconds(200));
  EXPECT_LT(sleeping.cpu_time, sleeping.wall_time);
  EXPECT_GT(sleeping.page_faults, 0);
  EXPECT_GT(sleeping.context_switches, 0);
  // More than any process of ours has before it becomes the program.
  const ResourceUse large = launcher
                                .launch(shell("head -c 300000000 /dev/zero | tail -c 1 >/dev/null; "
                                              "exec dd if=/dev/zero of=/dev/null bs=200M count=1"))
                                .used;
  ASSERT_TRUE(large.peak_resident_bytes);
  EXPECT_GT(*large.peak_resident_bytes, 200'000'000);
}

TEST(OpenDescriptors, AreThoseOfAProcess) {
  const ScratchFolder scratch;
  PosixLauncher launcher;
  const BackgroundLaunch program(
      launcher, shell("exec 9</dev/null; echo $$ > " + (scratch.path() / "pid").string() + "; exec sleep 1000"));
  const auto open = open_descriptors_of(pid_in(scratch.path() / "pid"));
  ASSERT_TRUE(open);
  EXPECT_TRUE(open->contains(9));
  EXPECT_FALSE(open->contains(8));
  EXPECT_EQ(open_descriptors_of(0), std::nullopt);
}

}  // namespace
}  // namespace allocgate

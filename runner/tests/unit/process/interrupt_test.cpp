// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/interrupt.hpp"

#include "base/error.hpp"
#include "process/alive.hpp"
#include "process/environment.hpp"
#include "process/launcher.hpp"
#include "scratch_folder.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

LaunchSpec shell(const std::string& script) {
  LaunchSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = Environment::fixed().entries();
  return spec;
}

/// Sends `signal` to this process as soon as `file` is there.
std::thread signal_when(const std::filesystem::path& file, int signal) {
  return std::thread([file, signal] {
    for (int attempt = 0; attempt < 1000 && !std::filesystem::exists(file); ++attempt) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    ::kill(::getpid(), signal);
  });
}

TEST(InterruptScope, RemembersASignalInsteadOfEnding) {
  const InterruptScope scope;
  EXPECT_FALSE(interrupt_received());
  ::raise(SIGTERM);
  const auto interrupt = interrupt_received();
  ASSERT_TRUE(interrupt);
  EXPECT_EQ(interrupt->signal, SIGTERM);
  EXPECT_EQ(interrupt->times, 1U);
  EXPECT_FALSE(interrupt->from_terminal);
}

TEST(InterruptScope, BeginsWithNothingRemembered) {
  {
    const InterruptScope scope;
    ::raise(SIGINT);
  }
  const InterruptScope scope;
  EXPECT_FALSE(interrupt_received());
}

TEST(InterruptScope, LeavesAnIgnoredSignalIgnored) {
  ::signal(SIGHUP, SIG_IGN);
  {
    const InterruptScope scope;
    ::raise(SIGHUP);
    EXPECT_FALSE(interrupt_received());
  }
  ::signal(SIGHUP, SIG_DFL);
}

TEST(PosixLauncher, EndsACapturedProgramOnAnInterrupt) {
  const ScratchFolder scratch;
  const std::filesystem::path ready = scratch.path() / "ready";
  PosixLauncher launcher;
  std::thread sender = signal_when(ready, SIGINT);
  const LaunchSpec spec = shell("trap 'echo got it > " + (scratch.path() / "got").string() + "; exit' INT; touch " +
                                ready.string() + "; while :; do sleep 0.1; done");
  try {
    launcher.launch(spec);
    ADD_FAILURE() << "an interrupted launch has no outcome";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::interrupted);
  }
  sender.join();
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "got")) << "the signal is passed on";
  EXPECT_THROW(launcher.launch(shell("true")), Error) << "nothing is started after an interrupt";
}

TEST(PosixLauncher, EndsACapturedProgramThatIgnoresTheInterrupt) {
  const ScratchFolder scratch;
  const std::filesystem::path ready = scratch.path() / "ready";
  PosixLauncher launcher;
  std::thread sender = signal_when(ready, SIGINT);
  EXPECT_THROW(launcher.launch(shell("trap '' INT TERM; echo $$ > " + (scratch.path() / "pid").string() + "; touch " +
                                     ready.string() + "; while :; do sleep 0.1; done")),
               Error);
  sender.join();
  std::int64_t pid = 0;
  std::ifstream(scratch.path() / "pid") >> pid;
  EXPECT_GT(pid, 0);
  EXPECT_FALSE(is_alive(pid));
}

TEST(PosixLauncher, LetsAForegroundProgramEndAsItLikes) {
  const ScratchFolder scratch;
  const std::filesystem::path ready = scratch.path() / "ready";
  PosixLauncher launcher;
  std::thread sender = signal_when(ready, SIGTERM);
  LaunchSpec spec = shell("trap 'exit 5' TERM; touch " + ready.string() + "; while :; do sleep 0.1; done");
  spec.output = LaunchSpec::Output::inherit;
  const LaunchOutcome outcome = launcher.launch(spec);
  sender.join();
  EXPECT_EQ(outcome.kind, LaunchOutcome::Kind::exited);
  EXPECT_EQ(outcome.exit_code, 5);
  EXPECT_TRUE(interrupt_received());
}

/// What a process ends with that runs `work` in a fork; nothing of ours is left in it.
template <typename Work>
int end_of(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(STDERR_FILENO);
    work();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

TEST(InterruptScope, EndsAtOnceWhereNothingIsToBeCleanedUp) {
  EXPECT_EQ(end_of([] {
              const InterruptScope scope(InterruptScope::Means::end_now);
              ::raise(SIGHUP);
            }),
            130);
}

TEST(InterruptScope, DoesWhatTheInnermostOneMeans) {
  EXPECT_EQ(end_of([] {
              const InterruptScope outer(InterruptScope::Means::end_now);
              {
                const InterruptScope inner;
                ::raise(SIGINT);
              }
              ::_exit(interrupt_received() ? 3 : 4);
            }),
            3);
  EXPECT_EQ(end_of([] {
              const InterruptScope outer;
              { const InterruptScope inner(InterruptScope::Means::end_now); }
              ::raise(SIGINT);
              ::_exit(5);
            }),
            5);
}

TEST(InterruptScope, DoesNotBeginToWriteAfterASignal) {
  const InterruptScope outer;
  ::raise(SIGINT);
  EXPECT_THROW(InterruptScope(InterruptScope::Means::end_now), Error);
  forget_interrupts();
  EXPECT_NO_THROW(InterruptScope(InterruptScope::Means::end_now));
}

}  // namespace
}  // namespace allocgate

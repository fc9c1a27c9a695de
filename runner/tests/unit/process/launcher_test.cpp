// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/launcher.hpp"

#include "process/alive.hpp"
#include "process/environment.hpp"
#include "scratch_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

using Kind = LaunchOutcome::Kind;

LaunchSpec shell(const std::string& script) {
  LaunchSpec spec;
  spec.argv = {"sh", "-c", script};
  spec.environment = Environment::fixed().entries();
  spec.keep_standard_output = true;
  return spec;
}

LaunchOutcome run(const LaunchSpec& spec) {
  PosixLauncher launcher;
  return launcher.launch(spec);
}

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Whether `pid` is gone, or goes within the time that a dying process may take on a busy machine.
bool is_gone(std::int64_t pid) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (!is_alive(pid)) {
      return true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(PosixLauncher, TellsTheExitCode) {
  const LaunchOutcome outcome = run(shell("exit 7"));
  EXPECT_EQ(outcome.kind, Kind::exited);
  EXPECT_EQ(outcome.exit_code, 7);
  EXPECT_GT(outcome.pid, 0);
}

TEST(PosixLauncher, TellsTheSignal) {
  const LaunchOutcome outcome = run(shell("kill -SEGV $$"));
  EXPECT_EQ(outcome.kind, Kind::signalled);
  EXPECT_EQ(outcome.signal, SIGSEGV);
}

TEST(PosixLauncher, TellsTheProcessId) {
  const LaunchOutcome outcome = run(shell("echo $$"));
  EXPECT_EQ(outcome.standard_output, std::to_string(outcome.pid) + "\n");
}

TEST(PosixLauncher, TellsTheNameAtTheEnd) {
  EXPECT_EQ(run(shell("true; exit 3")).last_name, "sh");
  EXPECT_EQ(run(shell("exec sleep 0")).last_name, "sleep");
  EXPECT_EQ(run(shell("exec sleep 0")).exit_code, 0);
}

TEST(PosixLauncher, KeepsTheLastLinesOfBothStreams) {
  const LaunchOutcome outcome = run(shell("for i in $(seq 50); do echo line $i; done; echo at last >&2"));
  EXPECT_NE(outcome.last_lines.find("line 50"), std::string::npos);
  EXPECT_NE(outcome.last_lines.find("at last"), std::string::npos);
  EXPECT_EQ(outcome.last_lines.find("line 5\n"), std::string::npos);
}

TEST(PosixLauncher, DrainsMoreThanPipesHold) {
  const LaunchOutcome outcome = run(shell("head -c 3000000 /dev/zero >&2; head -c 2000000 /dev/zero; echo; echo end"));
  EXPECT_EQ(outcome.kind, Kind::exited);
  EXPECT_EQ(outcome.standard_output.size(), 2000000U + 5U);
  EXPECT_NE(outcome.last_lines.find("end"), std::string::npos);
}

TEST(PosixLauncher, DoesNotWaitForTheOutputOfAProcessThatIsLeftBehind) {
  const LaunchOutcome outcome = run(shell("sleep 60 & echo $!"));
  EXPECT_EQ(outcome.kind, Kind::exited);
  const pid_t left = std::stoi(outcome.standard_output);
  EXPECT_TRUE(is_alive(left)) << "a program that ends by itself keeps the processes it started";
  ::kill(left, SIGKILL);
}

TEST(PosixLauncher, GivesEmptyInputToCapturedPrograms) {
  const LaunchOutcome outcome = run(shell("cat; echo done"));
  EXPECT_EQ(outcome.standard_output, "done\n");
}

TEST(PosixLauncher, GivesNoDescriptorButTheStandardStreams) {
  const int inherited = ::open("/dev/null", O_RDONLY);  // without O_CLOEXEC
  ASSERT_GT(inherited, 2);
  const int high = ::fcntl(inherited, F_DUPFD, 500);
  // The list is of the shell itself: the shell's glob opens one more while it reads the folder.
  const LaunchOutcome outcome = run(shell("for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done"));
  ::close(inherited);
  ::close(high);
  EXPECT_EQ(outcome.standard_output, "0\n1\n2\n");
}

TEST(PosixLauncher, GivesTheCallersDescriptorsToAProgramInTheForeground) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);  // without O_CLOEXEC, as a shell leaves them
  LaunchSpec spec = shell("echo through >/proc/self/fd/" + std::to_string(ends[1]));
  spec.output = LaunchSpec::Output::inherit;
  EXPECT_EQ(run(spec).exit_code, 0);
  ::close(ends[1]);
  std::array<char, 64> text{};
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 8);
  EXPECT_STREQ(text.data(), "through\n");
  EXPECT_EQ(::read(ends[0], text.data(), text.size()), 0) << "nobody holds the pipe any more";
  ::close(ends[0]);
}

TEST(PosixLauncher, GivesNothingOfTheRunnersOwn) {
  const ScratchFolder scratch;
  const auto list = scratch.path() / "list";
  const std::string script =
      "for fd in /proc/$$/fd/*; do [ -e $fd ] && echo ${fd##*/}; done >" + list.string() + "; true";
  const auto descriptors_of = [&](std::vector<std::string> argv) {
    LaunchSpec spec = shell("");
    spec.argv = std::move(argv);
    spec.output = LaunchSpec::Output::inherit;
    EXPECT_EQ(run(spec).exit_code, 0);
    return content_of(list);
  };
  const std::string measured = descriptors_of({"sh", "-c", script});
  ASSERT_EQ(std::system(("sh -c '" + script + "'").c_str()), 0);
  EXPECT_EQ(measured, content_of(list));
}

TEST(PosixLauncher, GivesTheEnvironmentAndNothingElse) {
  LaunchSpec spec = shell("env");
  spec.argv = {"env"};
  spec.environment = {"PATH=/usr/bin:/bin", "ONE=two words"};
  EXPECT_EQ(run(spec).standard_output, "PATH=/usr/bin:/bin\nONE=two words\n");
}

TEST(PosixLauncher, ResetsSignalsOfCapturedPrograms) {
  ::signal(SIGUSR1, SIG_IGN);
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  const LaunchOutcome outcome = run(shell("grep -E '^Sig(Blk|Ign)' /proc/self/status"));
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
  ::signal(SIGUSR1, SIG_DFL);
  EXPECT_EQ(outcome.standard_output, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(PosixLauncher, StartsInItsOwnGroupAndFolder) {
  LaunchSpec spec = shell("ps -o pgid= -p $$ 2>/dev/null || cut -d' ' -f5 /proc/$$/stat; pwd");
  spec.working_directory = "/usr";
  const LaunchOutcome outcome = run(spec);
  std::istringstream words(outcome.standard_output);
  std::int64_t group = 0;
  std::string folder;
  words >> group >> folder;
  EXPECT_EQ(group, outcome.pid);
  EXPECT_EQ(folder, "/usr");
}

TEST(PosixLauncher, EndsAProgramThatHangs) {
  LaunchSpec spec = shell("echo before; sleep 60");
  spec.timeout = std::chrono::milliseconds(200);
  const LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_EQ(outcome.last_lines, "before");
}

TEST(PosixLauncher, LeavesNoDescendantOfAProgramThatHangs) {
  const ScratchFolder scratch;
  const std::string pids = (scratch.path() / "pids").string();
  // A grandchild in the group; one that left session and group, and whose parent is dead; one that ignores SIGTERM.
  LaunchSpec spec = shell("(sleep 60 & echo $! >> " + pids + "); setsid sh -c 'sleep 60 & echo $! >> " + pids +
                          "'; sh -c 'trap \"\" TERM; echo $$ >> " + pids + "; while :; do sleep 1; done' & sleep 60");
  spec.timeout = std::chrono::milliseconds(500);
  const LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  std::istringstream words(content_of(pids));
  int seen = 0;
  for (std::int64_t pid = 0; words >> pid; ++seen) {
    EXPECT_FALSE(is_alive(pid)) << pid;
  }
  EXPECT_EQ(seen, 3);
  EXPECT_FALSE(is_alive(outcome.pid));
}

TEST(PosixLauncher, EndsAProgramThatPrintsWithoutEnd) {
  LaunchSpec spec = shell("yes");
  spec.timeout = std::chrono::milliseconds(300);
  const LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_LE(outcome.standard_output.size(), k_most_standard_output);
}

TEST(PosixLauncher, EndsAProgramThatIgnoresTheFirstSignal) {
  LaunchSpec spec = shell("trap '' TERM; while :; do sleep 1; done");
  spec.timeout = std::chrono::milliseconds(200);
  const LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::timed_out);
  EXPECT_FALSE(is_alive(outcome.pid));
}

TEST(PosixLauncher, TellsThatAProgramIsNotThere) {
  LaunchSpec spec = shell("");
  spec.argv = {"allocgate-no-such-program"};
  EXPECT_EQ(run(spec).kind, Kind::not_found);
  spec.argv = {"/no/such/program"};
  const LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::not_found);
  EXPECT_EQ(outcome.reason, "/no/such/program: No such file or directory; build or install it, or correct its name");
}

TEST(PosixLauncher, TellsThatAProgramIsNotExecutable) {
  const ScratchFolder scratch;
  LaunchSpec spec = shell("");
  spec.argv = {scratch.write("data", "text").string()};
  LaunchOutcome outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::not_executable);
  EXPECT_NE(outcome.reason.find("Permission denied"), std::string::npos) << outcome.reason;

  spec.argv = {scratch.path().string()};
  EXPECT_EQ(run(spec).kind, Kind::not_executable);

  spec.argv = {scratch.write_program("script", "#!/no/such/interpreter\n").string()};
  outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::not_executable);
  EXPECT_NE(outcome.reason.find("/no/such/interpreter does not exist"), std::string::npos) << outcome.reason;

  spec.argv = {scratch.write_program("binary", std::string_view("\1\2\0\3", 4)).string()};
  outcome = run(spec);
  EXPECT_EQ(outcome.kind, Kind::not_executable);
  EXPECT_NE(outcome.reason.find("Exec format error"), std::string::npos) << outcome.reason;
}

TEST(PosixLauncher, GivesAScriptWithoutInterpreterToTheShell) {
  const ScratchFolder scratch;
  LaunchSpec spec = shell("");
  spec.argv = {scratch.write_program("script", "echo \"$1\"\n").string(), "argument"};
  EXPECT_EQ(run(spec).standard_output, "argument\n");
}

TEST(PosixLauncher, StartsManyAtOnce) {
  PosixLauncher launcher;
  std::vector<std::thread> threads;
  std::atomic<int> right{0};
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&, thread] {
      for (int round = 0; round < 10; ++round) {
        const LaunchOutcome outcome = launcher.launch(shell("echo " + std::to_string(thread) + "; exit 3"));
        right += outcome.exit_code == 3 && outcome.standard_output == std::to_string(thread) + "\n";
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(right, 80);
}

TEST(PosixLauncher, TimeoutOfOneLeavesAnotherAlone) {
  PosixLauncher launcher;
  LaunchOutcome patient;
  std::thread other([&] { patient = launcher.launch(shell("sleep 1; echo whole")); });
  LaunchSpec spec = shell("sleep 60");
  spec.timeout = std::chrono::milliseconds(100);
  EXPECT_EQ(launcher.launch(spec).kind, Kind::timed_out);
  other.join();
  EXPECT_EQ(patient.standard_output, "whole\n");
}

TEST(PosixLauncher, LeavesNothingWhenTheRunnerIsKilled) {
  const ScratchFolder scratch;
  const std::string pids = (scratch.path() / "pids").string();
  const pid_t runner = ::fork();
  if (runner == 0) {
    PosixLauncher launcher;
    launcher.launch(shell("echo $$ > " + pids + "; setsid sleep 60 & echo $! >> " + pids + "; sleep 60"));
    ::_exit(0);
  }
  std::string content;
  for (int attempt = 0; attempt < 500 && std::count(content.begin(), content.end(), '\n') < 2; ++attempt) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    content = content_of(pids);
  }
  ::kill(runner, SIGKILL);
  ::waitpid(runner, nullptr, 0);
  std::istringstream words(content);
  int seen = 0;
  for (std::int64_t pid = 0; words >> pid; ++seen) {
    EXPECT_TRUE(is_gone(pid)) << pid;
  }
  EXPECT_EQ(seen, 2);
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/hook_record.hpp"

#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

constexpr int k_skipped = 77;

struct stat status_of(const std::filesystem::path& file) {
  struct stat status {};
  EXPECT_EQ(::lstat(file.c_str(), &status), 0) << file;
  return status;
}

std::string message_of_failure() {
  try {
    const HookRecord record({});
    return "no failure";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_measured);
    return error.what();
  }
}

TEST(HookRecord, IsPrivateWholeAndRemoved) {
  std::filesystem::path folder;
  {
    const HookRecord record({});
    folder = record.folder();
    EXPECT_EQ(status_of(folder).st_mode & 0777, 0700U);
    const struct stat file = status_of(record.path());
    EXPECT_EQ(file.st_mode & 0777, 0600U);
    EXPECT_EQ(file.st_blocks * 512 / file.st_size, 1) << "a hole would be a SIGBUS when the disk is full";
    std::ofstream(folder / "another file") << "is removed too";
  }
  EXPECT_FALSE(std::filesystem::exists(folder));
}

TEST(HookRecord, IsReadBackEmpty) {
  const HookRecord record({});
  const RecordContents contents = record.read();
  EXPECT_EQ(contents.damage, std::nullopt);
  EXPECT_TRUE(contents.usable_sizes);
  EXPECT_TRUE(contents.processes.empty());
  EXPECT_TRUE(contents.windows.empty());
}

TEST(HookRecord, SurvivesAProgramThatCutsIt) {
  const HookRecord record({});
  std::filesystem::resize_file(record.path(), 5000);
  EXPECT_NE(record.read().damage.value_or("").find("cut short"), std::string::npos);
}

TEST(HookRecord, IsMadeWhereTheVariableSays) {
  const ScratchFolder scratch;
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", scratch.path().string());
  const HookRecord record({});
  EXPECT_EQ(record.folder().parent_path(), scratch.path());
}

TEST(HookRecord, RemovesWhatAKilledRunnerLeft) {
  const ScratchFolder scratch;
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", scratch.path().string());
  const pid_t runner = ::fork();
  if (runner == 0) {
    const HookRecord record({});
    ::kill(::getpid(), SIGKILL);
  }
  ::waitpid(runner, nullptr, 0);
  ASSERT_FALSE(std::filesystem::is_empty(scratch.path()));
  {
    const HookRecord first({});
    const HookRecord second({});
    EXPECT_TRUE(std::filesystem::exists(first.path())) << "another measurement's is left alone";
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 2);
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

TEST(HookRecord, LeavesOtherFoldersAlone) {
  const ScratchFolder scratch;
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", scratch.path().string());
  std::filesystem::create_directory(scratch.path() / "allocgate-results");
  { const HookRecord record({}); }
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / "allocgate-results"));
}

TEST(HookRecord, NamesTheFolderAndTheVariableWhenItIsNotThere) {
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", "/no/such/folder");
  const std::string message = message_of_failure();
  EXPECT_NE(message.find("/no/such/folder"), std::string::npos) << message;
  EXPECT_NE(message.find("ALLOCGATE_RECORD_DIR"), std::string::npos) << message;
}

TEST(HookRecord, NamesTheLimitOnFiles) {
  const ScratchFolder scratch;
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", scratch.path().string());
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100'000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = message_of_failure();
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(message.find("ulimit -f"), std::string::npos) << message;
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << "a failure leaves nothing behind";
}

/// In a process of its own, because only it may mount; the exit code is the verdict.
int fill_a_small_filesystem(const std::filesystem::path& folder) {
  if (::mount("allocgate-test", folder.c_str(), "tmpfs", 0, "size=1m") != 0) {
    return k_skipped;
  }
  const ScopedVariable variable("ALLOCGATE_RECORD_DIR", folder.string());
  const std::string message = message_of_failure();
  const bool empty = std::filesystem::is_empty(folder);
  ::umount(folder.c_str());
  const bool says_it = message.find(folder.string()) != std::string::npos &&
                       message.find("No space left") != std::string::npos &&
                       message.find("ALLOCGATE_RECORD_DIR") != std::string::npos;
  return says_it && empty ? 0 : 1;
}

TEST(HookRecord, NamesAFullFilesystem) {
  const ScratchFolder scratch;
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(fill_a_small_filesystem(scratch.path()));
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status);
  if (WEXITSTATUS(status) == k_skipped) {
    GTEST_SKIP() << "mounting a small file system needs root";
  }
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace allocgate

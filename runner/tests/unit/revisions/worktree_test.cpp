// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/worktree.hpp"

#include "base/error.hpp"
#include "revisions/made_repository.hpp"

#include <gmock/gmock.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

class WorktreeTest : public MadeRepositoryTest {
protected:
  void SetUp() override {
    MadeRepositoryTest::SetUp();
    if (IsSkipped()) {
      return;
    }
    commit(".gitignore", "kept\n");
    m_one = commit("file", "one");
    m_two = commit("file", "two");
  }

  [[nodiscard]] BuildOutcome build_in(const Worktree& worktree, const std::string& command) {
    return build(worktree, command, {}, std::nullopt, m_launcher);
  }

  std::string m_one;
  std::string m_two;
};

TEST_F(WorktreeTest, GoesFromRevisionToRevisionAndKeepsWhatIsIgnored) {
  const Repository repository(top(), m_launcher);
  Worktree worktree(repository, beside("trees") / "base");
  worktree.check_out(repository.resolve(m_one));
  EXPECT_EQ(content(worktree.path() / "file"), "one");
  EXPECT_TRUE(build_in(worktree, "echo object > kept; echo stray > stray; echo spoiled > file").ok);

  worktree.check_out(repository.resolve(m_two));
  EXPECT_EQ(content(worktree.path() / "file"), "two");
  EXPECT_EQ(content(worktree.path() / "kept"), "object\n");
  EXPECT_FALSE(std::filesystem::exists(worktree.path() / "stray"));
  EXPECT_EQ(content(top() / "file"), "two") << "the user's own";
  EXPECT_EQ(git({"status", "--porcelain"}), "");
}

TEST_F(WorktreeTest, OneThatWasRemovedByHandIsMadeAgain) {
  const Repository repository(top(), m_launcher);
  const std::filesystem::path folder = beside("trees") / "base";
  Worktree(repository, folder).check_out(repository.resolve(m_one));
  std::filesystem::remove_all(folder);
  Worktree worktree(repository, folder);
  worktree.check_out(repository.resolve(m_two));
  EXPECT_EQ(content(folder / "file"), "two");
}

TEST_F(WorktreeTest, NeverTouchesAFolderThatIsNotItsOwn) {
  const Repository repository(top(), m_launcher);
  const std::filesystem::path folder = beside("mine");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "precious") << "text";
  Worktree worktree(repository, folder);
  EXPECT_THROW(worktree.check_out(repository.resolve(m_one)), Error);
  EXPECT_EQ(content(folder / "precious"), "text");
}

TEST_F(WorktreeTest, IsForOneAtATime) {
  const Repository repository(top(), m_launcher);
  const Worktree first(repository, beside("trees") / "base");
  try {
    const Worktree second(repository, beside("trees") / "base");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_measured);
    EXPECT_THAT(error.what(), HasSubstr("another allocgate works in"));
  }
}

TEST_F(WorktreeTest, ABuildThatFailsSaysItsLastLinesAndItsLog) {
  const Repository repository(top(), m_launcher);
  Worktree worktree(repository, beside("trees") / "base");
  worktree.check_out(repository.resolve(m_one));
  const BuildOutcome outcome = build_in(worktree, "echo no rule for it; exit 9");
  EXPECT_FALSE(outcome.ok);
  EXPECT_THAT(outcome.reason, HasSubstr("it ended with 9"));
  EXPECT_THAT(outcome.reason, HasSubstr("\n  | no rule for it"));
  EXPECT_EQ(content(outcome.log), "no rule for it\n");
}

TEST_F(WorktreeTest, ABuildKnowsNoOtherRepositoryAndHasCcacheSeeItsRoot) {
  const Repository repository(top(), m_launcher);
  Worktree worktree(repository, beside("trees") / "base");
  worktree.check_out(repository.resolve(m_one));
  ::setenv("GIT_INDEX_FILE", "/of/a/hook", 1);
  const BuildOutcome outcome = build_in(worktree, "echo \"$CCACHE_BASEDIR,$GIT_INDEX_FILE\"; pwd; git status -s");
  ::unsetenv("GIT_INDEX_FILE");
  EXPECT_TRUE(outcome.ok) << outcome.reason;
  const std::string root = std::filesystem::canonical(worktree.path()).string();
  EXPECT_EQ(content(outcome.log), worktree.path().string() + ",\n" + root + "\n");
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/commit_line.hpp"

#include "base/error.hpp"
#include "revisions/made_repository.hpp"

#include <gmock/gmock.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> commits_of(const std::vector<Revision>& revisions) {
  std::vector<std::string> commits;
  for (const Revision& revision : revisions) {
    commits.push_back(revision.commit);
  }
  return commits;
}

/// root - one - merge - two, where merge brings side, which left at root.
class CommitLineTest : public MadeRepositoryTest {
protected:
  void SetUp() override {
    MadeRepositoryTest::SetUp();
    if (IsSkipped()) {
      return;
    }
    m_root = commit("file", "root");
    git({"checkout", "-q", "-b", "side"});
    m_side = commit("other", "side");
    git({"checkout", "-q", "trunk"});
    m_one = commit("file", "one");
    git({"merge", "-q", "--no-ff", "-m", "merge", "side"});
    m_merge = git({"rev-parse", "HEAD"});
    m_two = commit("file", "two");
  }

  std::string m_root;
  std::string m_side;
  std::string m_one;
  std::string m_merge;
  std::string m_two;
};

TEST_F(CommitLineTest, IsTheFirstParentsFromTheGoodEndOn) {
  const Repository repository(top(), m_launcher);
  const std::vector<Revision> line =
      commits_between(repository, repository.resolve(m_root), repository.resolve("trunk"));
  EXPECT_THAT(commits_of(line), ElementsAre(m_root, m_one, m_merge, m_two));
  EXPECT_THAT(line[2].parents, ElementsAre(m_one, m_side));
  EXPECT_EQ(line[1].subject, "file is one");
}

TEST_F(CommitLineTest, AUsersLogSettingsDoNotShow) {
  git({"config", "log.showSignature", "true"});
  git({"config", "format.pretty", "raw"});
  const Repository repository(top(), m_launcher);
  EXPECT_EQ(commits_between(repository, repository.resolve(m_root), repository.resolve("trunk")).size(), 4U);
}

TEST_F(CommitLineTest, EndsThatAreNoLineAreRefusedWithTheirMergeBase) {
  const Repository repository(top(), m_launcher);
  try {
    static_cast<void>(commits_between(repository, repository.resolve("side"), repository.resolve(m_one)));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("take that as --good"));
    EXPECT_THAT(error.what(), HasSubstr(short_commit(m_root)));
  }
  EXPECT_THROW(static_cast<void>(commits_between(repository, repository.resolve(m_one), repository.resolve(m_one))),
               Error);
}

TEST_F(CommitLineTest, AMergeKnowsItsBranch) {
  const Repository repository(top(), m_launcher);
  const auto branch = merged_branch(repository, repository.resolve(m_merge), 1);
  ASSERT_TRUE(branch);
  EXPECT_THAT(commits_of(*branch), ElementsAre(m_root, m_side));
}

TEST_F(CommitLineTest, GitChoosesAmongAllAncestors) {
  const Repository repository(top(), m_launcher);
  EXPECT_EQ(commits_without(repository, m_two, {m_root}, false).size(), 4U);
  EXPECT_THAT(commits_of(commits_without(repository, m_two, {m_root}, true)), ElementsAre(m_one, m_merge, m_two));
  EXPECT_EQ(halving_commit(repository, {m_root}, m_merge, {m_one}, false)->commit, m_side);
  EXPECT_FALSE(halving_commit(repository, {m_root}, m_merge, {m_one, m_side}, false));
}

TEST_F(CommitLineTest, APatchOnTopIsTheSameCommitEachTime) {
  const Repository repository(top(), m_launcher);
  write("../fix.patch", git({"diff", m_two, m_one}) + "\n");
  const Revision patched = repository.with_patch(repository.resolve("trunk"), beside("fix.patch"));
  EXPECT_EQ(git({"show", patched.commit + ":file"}), "one");
  EXPECT_THAT(patched.parents, ElementsAre(m_two));
  EXPECT_EQ(repository.with_patch(repository.resolve("trunk"), beside("fix.patch")).commit, patched.commit);
  EXPECT_EQ(git({"status", "--porcelain"}), "");
  EXPECT_THROW(static_cast<void>(repository.with_patch(repository.resolve(m_root), beside("fix.patch"))), Error);
  EXPECT_THROW(static_cast<void>(repository.with_patch(repository.resolve("trunk"), beside("none"))), Error);
}

}  // namespace
}  // namespace allocgate

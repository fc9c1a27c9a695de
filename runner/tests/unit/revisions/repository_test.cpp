// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/repository.hpp"

#include "base/error.hpp"
#include "revisions/made_repository.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

class RepositoryTest : public MadeRepositoryTest {};

TEST_F(RepositoryTest, RefusesAFolderOutsideOfAnyRepository) {
  try {
    const Repository repository(m_folder.path(), m_launcher);
    FAIL() << "it found " << repository.top();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("lies in no git work tree"));
  }
}

TEST_F(RepositoryTest, ResolvesNamesAndMergeBases) {
  const std::string one = commit("file", "one");
  git({"checkout", "-q", "-b", "feature"});
  const std::string two = commit("file", "two");
  git({"checkout", "-q", "trunk"});
  commit("other", "three");
  git({"checkout", "-q", "feature"});
  const Repository repository(top(), m_launcher);

  const Revision found = repository.resolve("feature");
  EXPECT_EQ(found.commit, two);
  EXPECT_EQ(found.subject, "file is two");
  EXPECT_FALSE(found.of_work_tree);
  EXPECT_EQ(repository.resolve("trunk...").commit, one) << "where feature left trunk";
}

TEST_F(RepositoryTest, NamesTheNearestBranch) {
  commit("file", "one");
  const Repository repository(top(), m_launcher);
  try {
    static_cast<void>(repository.resolve("trunc"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("did you mean trunk?"));
  }
}

TEST_F(RepositoryTest, ANameThatLooksLikeAnOptionIsARevision) {
  commit("file", "one");
  EXPECT_THROW(static_cast<void>(Repository(top(), m_launcher).resolve("--all")), Error);
}

TEST_F(RepositoryTest, TheCleanWorkTreeIsHead) {
  const std::string one = commit("file", "one");
  const Revision revision = Repository(top(), m_launcher).of_work_tree();
  EXPECT_EQ(revision.commit, one);
  EXPECT_FALSE(revision.of_work_tree);
}

TEST_F(RepositoryTest, TakesTheWorkTreeAsItIsAndLeavesItAlone) {
  commit(".gitignore", "ignored\n");
  commit("file", "one");
  write("file", "changed");
  write("new", "not added yet");
  write("ignored", "never");
  const std::string before = git({"status", "--porcelain"});
  const std::string index = content(top() / ".git/index");
  const Repository repository(top(), m_launcher);

  const Revision revision = repository.of_work_tree();
  EXPECT_TRUE(revision.of_work_tree);
  EXPECT_EQ(git({"show", revision.commit + ":file"}), "changed");
  EXPECT_EQ(git({"ls-tree", "--name-only", revision.commit}), ".gitignore\nfile\nnew");
  EXPECT_EQ(repository.of_work_tree().commit, revision.commit) << "the same content is the same commit";
  EXPECT_EQ(git({"status", "--porcelain"}), before);
  EXPECT_EQ(content(top() / ".git/index"), index);
  EXPECT_EQ(git({"for-each-ref", "--format=%(refname)"}), "refs/heads/trunk");
}

TEST_F(RepositoryTest, SeesFilesFromTheRootOfAnyWorkTree) {
  commit("file", "one");
  const Repository repository(top(), m_launcher);
  EXPECT_EQ(repository.in_any_work_tree(top() / "build/bench"), "build/bench");
  EXPECT_EQ(repository.in_any_work_tree("/usr/bin/true").string().front(), '/');
}

TEST_F(RepositoryTest, SeesAChangeInTheInstantInWhichTheIndexWasWritten) {
  commit("file", "one");
  git({"config", "core.trustctime", "false"});
  // Long ago, so that git did not mark the file as one to read again when it wrote the index.
  const auto instant = std::filesystem::last_write_time(top() / "file") - std::chrono::hours(1);
  std::filesystem::last_write_time(top() / "file", instant);
  git({"update-index", "--refresh"});
  write("file", "two");  // as long as before
  std::filesystem::last_write_time(top() / "file", instant);
  std::filesystem::last_write_time(top() / ".git/index", instant);
  const Repository repository(top(), m_launcher);
  const Revision revision = repository.of_work_tree();
  EXPECT_TRUE(revision.of_work_tree);
  EXPECT_EQ(git({"show", revision.commit + ":file"}), "two");
}

}  // namespace
}  // namespace allocgate

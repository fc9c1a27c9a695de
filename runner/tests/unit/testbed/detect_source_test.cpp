// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_source.hpp"

#include "process/environment.hpp"
#include "process/private_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace allocgate {
namespace {

class DetectSource : public ::testing::Test {
protected:
  void SetUp() override {
    if (!git({"--version"})) {
      GTEST_SKIP() << "git is not installed";
    }
  }

  bool git(std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-c", "user.name=A", "-c", "user.email=a@example.org"});
    LaunchSpec spec;
    spec.argv = std::move(words);
    spec.environment = Environment::inherited().entries();
    spec.working_directory = m_folder.path();
    const LaunchOutcome outcome = m_launcher.launch(spec);
    return outcome.kind == LaunchOutcome::Kind::exited && outcome.exit_code == 0;
  }

  void write(const char* name, const char* content) const { std::ofstream(m_folder.path() / name) << content; }

  PosixLauncher m_launcher;
  PrivateFolder m_folder;
};

TEST_F(DetectSource, IsAbsentOutsideOfARepository) {
  EXPECT_FALSE(detect_source(m_folder.path(), m_launcher));
}

TEST_F(DetectSource, TellsCommitBranchAndChanges) {
  ASSERT_TRUE(git({"init", "-q", "-b", "trunk"}));
  EXPECT_FALSE(detect_source(m_folder.path(), m_launcher)) << "there is no commit yet";
  write("file", "one");
  ASSERT_TRUE(git({"add", "file"}));
  ASSERT_TRUE(git({"commit", "-q", "-m", "one"}));
  auto source = detect_source(m_folder.path(), m_launcher);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->commit.size(), 40U);
  EXPECT_EQ(source->branch, "trunk");
  EXPECT_FALSE(source->dirty);

  write("untracked", "is no change");
  EXPECT_FALSE(detect_source(m_folder.path(), m_launcher)->dirty);
  write("file", "another");
  EXPECT_TRUE(detect_source(m_folder.path(), m_launcher)->dirty);

  ASSERT_TRUE(git({"checkout", "-q", "--detach"}));
  EXPECT_EQ(detect_source(m_folder.path(), m_launcher)->branch, "");
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/environment.hpp"
#include "process/launcher.hpp"
#include "process/run_git.hpp"
#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace allocgate {

/// A test with a repository of its own.
class MadeRepositoryTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (!run_git({"--version"}, {}, m_launcher).installed) {
      GTEST_SKIP() << "git is not installed";
    }
    std::filesystem::create_directories(top());
    git({"init", "-q", "-b", "trunk"});
  }

  [[nodiscard]] std::filesystem::path top() const { return m_folder.path() / "a repository"; }
  [[nodiscard]] std::filesystem::path beside(const char* name) const { return m_folder.path() / name; }

  std::string git(std::vector<std::string> words) {
    words.insert(words.begin(), {"-c", "user.name=A", "-c", "user.email=a@example.org"});
    const GitAnswer answer = run_git(words, top(), m_launcher);
    EXPECT_TRUE(answer.ok) << answer.reason;
    return answer.text;
  }

  void write(const std::string& name, const std::string& content) const { std::ofstream(top() / name) << content; }

  /// The commit in which `name` holds `content`.
  std::string commit(const std::string& name, const std::string& content) {
    write(name, content);
    git({"add", name});
    git({"commit", "-q", "-m", name + " is " + content});
    return git({"rev-parse", "HEAD"});
  }

  static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  PosixLauncher m_launcher;
  TemporaryFolder m_folder;
};

}  // namespace allocgate

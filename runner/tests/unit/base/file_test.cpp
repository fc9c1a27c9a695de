// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/file.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include <sys/stat.h>
#include <unistd.h>

namespace allocgate {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FileTest : public testing::Test {
protected:
  FileTest() {
    std::string pattern = (fs::temp_directory_path() / "allocgate-file-XXXXXX").string();
    m_folder = ::mkdtemp(pattern.data());
  }
  ~FileTest() override { fs::remove_all(m_folder); }

  [[nodiscard]] std::size_t files_in_folder() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(m_folder), fs::directory_iterator()));
  }

  fs::path m_folder;
};

template <typename Action>
Error error_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no Error was thrown";
  return {ExitCode::fine, ""};
}

TEST_F(FileTest, ReadsBackEveryByteWritten) {
  std::string content = "a\0b\r\n\xff";
  content += std::string(200'000, 'x');
  write_file_atomically(m_folder / "file", content);
  EXPECT_EQ(read_file(m_folder / "file"), content);
  EXPECT_EQ(files_in_folder(), 1u);
}

TEST_F(FileTest, MakesMissingFolders) {
  write_file_atomically(m_folder / "a/b/file", "content");
  EXPECT_EQ(read_file(m_folder / "a/b/file"), "content");
}

TEST_F(FileTest, ReplacesAndKeepsPermissions) {
  const fs::path file = m_folder / "file";
  write_file_atomically(file, "old");
  ::chmod(file.c_str(), 0640);
  write_file_atomically(file, "new");
  EXPECT_EQ(read_file(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), static_cast<fs::perms>(0640));
}

TEST_F(FileTest, NewFilesFollowTheUmask) {
  const mode_t old = ::umask(022);
  write_file_atomically(m_folder / "file", "x");
  ::umask(old);
  EXPECT_EQ(fs::status(m_folder / "file").permissions(), static_cast<fs::perms>(0644));
}

TEST_F(FileTest, WritesThroughALinkAndKeepsIt) {
  write_file_atomically(m_folder / "real", "old");
  fs::create_symlink("real", m_folder / "link");
  write_file_atomically(m_folder / "link", "new");
  EXPECT_TRUE(fs::is_symlink(m_folder / "link"));
  EXPECT_EQ(read_file(m_folder / "real"), "new");
}

TEST_F(FileTest, NamesTheFileThatIsMissing) {
  const Error error = error_of([this] { (void)read_file(m_folder / "absent"); });
  EXPECT_EQ(error.code(), ExitCode::unreadable_input);
  EXPECT_THAT(error.what(), HasSubstr((m_folder / "absent").string()));
  EXPECT_THAT(error.what(), HasSubstr("check the name"));
}

TEST_F(FileTest, ReadingAFolderIsSaid) {
  const Error error = error_of([this] { (void)read_file(m_folder); });
  EXPECT_EQ(error.code(), ExitCode::unreadable_input);
  EXPECT_THAT(error.what(), HasSubstr("name a file in it"));
}

TEST_F(FileTest, WritingToAFolderIsSaidAndLeavesNothing) {
  const Error error = error_of([this] { write_file_atomically(m_folder, "x"); });
  EXPECT_EQ(error.code(), ExitCode::internal_error);
  EXPECT_THAT(error.what(), HasSubstr("nothing was changed"));
  EXPECT_EQ(files_in_folder(), 0u);
}

TEST_F(FileTest, AFileInThePlaceOfAFolderIsSaid) {
  write_file_atomically(m_folder / "file", "x");
  const Error error = error_of([this] { write_file_atomically(m_folder / "file/below", "y"); });
  EXPECT_THAT(error.what(), HasSubstr("file/below"));
  EXPECT_EQ(read_file(m_folder / "file"), "x");
}

TEST_F(FileTest, AFullDiskIsSaidWithItsRemedy) {
  if (!fs::exists("/dev/full")) {
    GTEST_SKIP() << "/dev/full is not here";
  }
  const Error error = error_of([] { write_file_atomically("/dev/full", "x"); });
  EXPECT_THAT(error.what(), HasSubstr("/dev/full"));
  EXPECT_THAT(error.what(), HasSubstr("free some space"));
}

TEST_F(FileTest, AForbiddenFolderIsSaidAndTheOldFileStays) {
  if (::geteuid() == 0) {
    GTEST_SKIP() << "root may write everywhere";
  }
  write_file_atomically(m_folder / "file", "old");
  ::chmod(m_folder.c_str(), 0555);
  const Error error = error_of([this] { write_file_atomically(m_folder / "file", "new"); });
  ::chmod(m_folder.c_str(), 0755);
  EXPECT_THAT(error.what(), HasSubstr("allow writing"));
  EXPECT_EQ(read_file(m_folder / "file"), "old");
}

TEST_F(FileTest, WritesToADeviceDirectly) {
  EXPECT_NO_THROW(write_file_atomically("/dev/null", "gone"));
  EXPECT_FALSE(fs::is_regular_file("/dev/null"));
}

}  // namespace
}  // namespace allocgate

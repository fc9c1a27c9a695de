// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/run_cli.hpp"

#include "base/file.hpp"
#include "example_documents.hpp"
#include "json/documents.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

struct Ran {
  int status = 0;
  std::string out;
  std::string err;
};

Ran run(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = run_cli(arguments, Streams{out, err});
  return {status, out.str(), err.str()};
}

TEST(RunCli, PagesGoToStandardOutput) {
  const std::vector<std::vector<std::string>> pages = {
      {"--help"}, {"help"}, {"help", "run"}, {"run", "-h"}, {"baseline", "--help"}, {"--version"}};
  for (const auto& arguments : pages) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, 0);
    EXPECT_NE(ran.out, "");
    EXPECT_EQ(ran.err, "");
  }
}

TEST(RunCli, WrongUseIsSaidOnStandardError) {
  const std::vector<std::vector<std::string>> wrong = {
      {}, {"chekc"}, {"baseline"}, {"baseline", "prune"}, {"--colour"}, {"run", "--x"}, {"help", "x"}};
  for (const auto& arguments : wrong) {
    const Ran ran = run(arguments);
    EXPECT_EQ(ran.status, 64);
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err, "");
  }
}

/// Every byte of a result file at which it may be cut: refused by name, with nothing on standard output.
TEST(RunCli, RefusesAResultCutAtAnyByte) {
  const TemporaryFolder folder;
  const std::filesystem::path whole = folder.path() / "whole.json";
  const std::filesystem::path cut = folder.path() / "cut.json";
  const std::string text = result_to_json(result_with({example_workload("w", {{"allocations", exact_series(3)}})}));
  write_file_atomically(whole, text);
  const std::size_t end = text.find_last_not_of(" \n");
  for (std::size_t length = 0; length <= end; ++length) {
    std::ofstream(cut, std::ios::binary) << text.substr(0, length);
    const Ran ran = run({"compare", whole.string(), cut.string()});
    ASSERT_EQ(ran.status, 65) << length;
    ASSERT_EQ(ran.out, "");
    ASSERT_THAT(ran.err, HasSubstr("cut.json"));
  }
}

TEST(RunCli, ReportsAStreamThatTakesNothing) {
  const TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "a.json";
  write_file_atomically(file, result_to_json(result_with({})));
  std::ostringstream out;
  out.setstate(std::ios::badbit);
  std::ostringstream err;
  EXPECT_EQ(run_cli({"compare", file.string(), file.string()}, Streams{out, err}), 1);
  EXPECT_THAT(err.str(), HasSubstr("standard output"));
}

}  // namespace
}  // namespace allocgate

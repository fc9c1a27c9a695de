// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/find_benchmarks.hpp"

#include "temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace allocgate {
namespace {

namespace fs = std::filesystem;

// Put together here, so that the copies below do not hold it.
std::string option() {
  return std::string("--benchmark_counters") + "_tabular";
}

// A real program of this machine, with `more` at its end.
void write_program(const fs::path& file, const std::string& more) {
  fs::create_directories(file.parent_path());
  fs::copy_file("/proc/self/exe", file);
  std::ofstream(file, std::ios::binary | std::ios::app) << more;
}

TEST(FindBenchmarkPrograms, KnowsAProgramThatHoldsTheLibrarysOption) {
  const TemporaryFolder folder;
  write_program(folder.path() / "bench/parse", option());
  write_program(folder.path() / "CMakeFiles/parse", option());
  write_program(folder.path() / ".cache/parse", option());
  write_program(folder.path() / "data", option());
  fs::permissions(folder.path() / "data", fs::perms::owner_read);
  write_program(folder.path() / "other", "");
  std::ofstream(folder.path() / "script") << "#!/bin/sh\n# " << option();
  fs::permissions(folder.path() / "script", fs::perms::owner_all);
  fs::create_symlink("bench/parse", folder.path() / "link");
  EXPECT_EQ(find_benchmark_programs(folder.path()), std::vector<fs::path>{folder.path() / "bench/parse"});
  EXPECT_TRUE(find_benchmark_programs(folder.path() / "not there").empty());
}

}  // namespace
}  // namespace allocgate

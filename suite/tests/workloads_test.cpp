// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Holds each workload, its first comment and what is counted to one another.

#include "measured_program.hpp"
#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <regex>

namespace allocgate::test {

namespace {

// What a source file's first comment says, in the line "counts per iteration of NAME: A allocations, B bytes (CORE V)".
struct Stated {
  std::string workload;
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
  std::string core;  // empty where the counts depend on none
  std::string core_version;
};

void PrintTo(const Stated& stated, std::ostream* output) {
  *output << stated.workload;
}

std::uint64_t number_in(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return std::stoull(text);
}

std::vector<Stated> stated_counts() {
  const std::regex line(
      R"(// counts per iteration of (\S+): ([0-9 ]+) allocations, ([0-9 ]+) bytes(?: \((\S+) ([0-9.]+)\))?\n)");
  std::vector<Stated> all;
  for (const auto& entry : std::filesystem::directory_iterator(k_workload_sources)) {
    if (entry.path().extension() != ".cpp") {
      continue;
    }
    const std::string text = read_file(entry.path());
    std::smatch match;
    EXPECT_TRUE(std::regex_search(text, match, line)) << entry.path() << " does not state its counts";
    if (!match.empty()) {
      all.push_back({match[1], number_in(match[2]), number_in(match[3]), match[4], match[5]});
      EXPECT_NE(text.find('"' + all.back().workload + '"'), std::string::npos) << entry.path();
    }
  }
  std::sort(all.begin(), all.end(),
            [](const Stated& one, const Stated& other) { return one.workload < other.workload; });
  return all;
}

std::filesystem::path program_of(const Stated& stated) {
  return std::filesystem::path(k_suite_folder) / stated.workload.substr(0, stated.workload.find('/'));
}

class Workload : public testing::TestWithParam<Stated> {
protected:
  // A core that is not installed, or of another version than the comment is about, proves nothing about the comment.
  void SetUp() override {
    const Stated& stated = GetParam();
    if (!std::filesystem::exists(program_of(stated))) {
      GTEST_SKIP() << program_of(stated) << " was not built: its core is not installed";
    }
    const std::filesystem::path list = test_folder() / "list.json";
    run({.path = program_of(stated), .environment = {{ALLOCGATE_ENV_SUITE_LIST, list.string()}}});
    const std::string text = read_file(list);
    ASSERT_NE(text.find("{\"name\": \"" + stated.workload + "\""), std::string::npos) << text;
    if (text.find("\"core_version\": \"" + stated.core_version + "\"") == std::string::npos && !stated.core.empty()) {
      GTEST_SKIP() << "the counts are stated for " << stated.core << " " << stated.core_version << ", this is " << text;
    }
  }

  static Program suite_run_of_workload() { return suite_run(program_of(GetParam()), GetParam().workload, "1,1,2,3"); }

  static void expect_stated_counts(const Program& measured) {
    const Stated& stated = GetParam();
    const Outcome outcome = run(measured);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.output;
    EXPECT_EQ(outcome.output, "");
    EXPECT_EQ(outcome.images_not_counted, 0U);
    constexpr std::uint64_t k_counts[] = {1, 1, 2, 3};
    ASSERT_EQ(outcome.windows.size(), std::size(k_counts));
    for (std::size_t index = 0; index < std::size(k_counts); ++index) {
      const allocgate_window_entry& window = outcome.windows[index];
      EXPECT_EQ(window.flags, 0U) << read_file(report_path());
      EXPECT_EQ(window.iterations, k_counts[index]);
      EXPECT_EQ(window.allocations, stated.allocations * k_counts[index]);
      EXPECT_EQ(window.allocated_bytes, stated.bytes * k_counts[index]);
      EXPECT_EQ(window.deallocations, window.allocations);
      EXPECT_EQ(window.live_bytes, 0);
      EXPECT_EQ(window.open_fds, 0);
    }
  }
};

TEST_P(Workload, CountsWhatItStates) {
  expect_stated_counts(suite_run_of_workload());
  expect_stated_counts(suite_run_of_workload());
}

TEST_P(Workload, DoesNotDependOnWhatItInherits) {
  constexpr std::size_t k_environment_size = 4096;
  Program crowded = suite_run_of_workload();
  crowded.inherited_descriptors = 50;
  crowded.environment["PADDING"] = std::string(k_environment_size, 'x');
  expect_stated_counts(crowded);
}

TEST_P(Workload, DoesNotDependOnTheAllocator) {
  for (const char* library : {k_mimalloc, k_jemalloc}) {
    if (*library == '\0') {
      GTEST_SKIP() << "mimalloc and jemalloc are not both installed (Debian: libmimalloc2.0, libjemalloc2)";
    }
    SCOPED_TRACE(library);
    Program over_another = suite_run_of_workload();
    over_another.preload.emplace_back(library);
    expect_stated_counts(over_another);
  }
}

TEST_P(Workload, RunsAsAnyGoogleBenchmarkProgram) {
  const Outcome outcome =
      run({.path = program_of(GetParam()),
           .arguments = {"--benchmark_min_time=0.001", "--benchmark_filter=^" + GetParam().workload + "$"}});
  EXPECT_EQ(outcome.exit_code, 0);
  EXPECT_NE(outcome.output.find("\n" + GetParam().workload + " "), std::string::npos) << outcome.output;
  EXPECT_EQ(outcome.output.find("ERROR"), std::string::npos) << outcome.output;
}

INSTANTIATE_TEST_SUITE_P(Suite, Workload, testing::ValuesIn(stated_counts()), [](const auto& test) {
  std::string name = test.param.workload;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

TEST(Noop, ReadsZeroForEveryMeasureEveryTime) {
  constexpr int k_times = 20;
  for (int time = 0; time < k_times; ++time) {
    const Outcome outcome = run(suite_run(std::filesystem::path(k_suite_folder) / "noop", "noop", "1,1000,2000,3000"));
    ASSERT_EQ(outcome.windows.size(), 4U) << outcome.output;
    for (const allocgate_window_entry& window : outcome.windows) {
      allocgate_window_entry nothing = {};
      nothing.state = window.state;
      nothing.process = window.process;
      nothing.iterations = window.iterations;
      nothing.duration_ns = window.duration_ns;
      nothing.threads = 1;
      nothing.peak_is_exact = 1;
      EXPECT_EQ(std::string(reinterpret_cast<const char*>(&window), sizeof(window)),
                std::string(reinterpret_cast<const char*>(&nothing), sizeof(nothing)));
    }
  }
}

}  // namespace

}  // namespace allocgate::test

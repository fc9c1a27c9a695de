// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Holds each workload, its first comment and what is counted to one another.

#include "measured_program.hpp"
#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <regex>
#include <utility>

namespace allocgate::test {

namespace {

// What a source file's first comment says, in one of these lines:
//   counts per iteration of NAME: A allocations, B bytes (CORE V)         the same in every run
//   counts per iteration of NAME: A allocations, B bytes (CORE V, gcc 12) ... by this compiler
//   counts per iteration of NAME: A to B allocations (CORE V)             and then a line: not exact: WHY
// What is in parentheses may be on a line of its own.
struct Stated {
  std::string workload;
  std::uint64_t allocations = 0;
  std::uint64_t most_allocations = 0;  // the same where the workload is exact
  std::optional<std::uint64_t> bytes;  // absent where it is not
  std::string core;                    // empty where the counts depend on none
  std::string core_version;
  std::string compiler;  // empty where the counts do not depend on it
};

void PrintTo(const Stated& stated, std::ostream* output) {
  *output << stated.workload;
}

std::uint64_t number_in(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return std::stoull(text);
}

std::vector<Stated> counts_stated_in(const std::string& text) {
  static const std::regex line(
      R"(// counts per iteration of (\S+): ([0-9 ]+)(?: to ([0-9 ]+))? allocations(?:, ([0-9 ]+) bytes)?)"
      R"((?:(?: |\n// )\((\S+) ([0-9.]+)(?:, (gcc [0-9]+))?\))?\n(// not exact: \S.*\n)?)");
  std::vector<Stated> all;
  for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
    const std::smatch& found = *match;
    Stated stated;
    stated.workload = found[1];
    stated.allocations = number_in(found[2]);
    stated.most_allocations = found[3].matched ? number_in(found[3]) : stated.allocations;
    if (found[4].matched) {
      stated.bytes = number_in(found[4]);
    }
    stated.core = found[5];
    stated.core_version = found[6];
    stated.compiler = found[7];
    EXPECT_NE(stated.bytes.has_value(), found[8].matched)
        << stated.workload << ": a workload states its bytes, or why it is not exact";
    all.push_back(std::move(stated));
  }
  return all;
}

std::vector<Stated> stated_counts() {
  std::vector<Stated> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(k_workload_sources)) {
    const std::string text = entry.path().extension() == ".cpp" ? read_file(entry.path()) : std::string();
    std::vector<Stated> here = counts_stated_in(text);
    EXPECT_TRUE(text.find("ALLOCGATE_WORKLOAD(") == std::string::npos || !here.empty())
        << entry.path() << " does not state its counts";
    std::move(here.begin(), here.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(),
            [](const Stated& one, const Stated& other) { return one.workload < other.workload; });
  return all;
}

const std::map<std::string, ListedWorkload>& listed_workloads() {
  static const std::map<std::string, ListedWorkload> listed = list_suite();
  return listed;
}

std::string own_compiler() {
#if defined(__GNUC__) && !defined(__clang__)
  return "gcc " + std::to_string(__GNUC__);
#else
  return "another";
#endif
}

// Whether a listing is about this version of the core, as the distribution or the core itself writes it.
bool is_of_version(const std::string& line, const std::string& version) {
  const std::regex pattern(R"re("core_version": "([0-9]+:)?)re" +
                           std::regex_replace(version, std::regex("\\."), "\\.") + R"re([-+~"])re");
  return std::regex_search(line, pattern);
}

class Workload : public testing::TestWithParam<Stated> {
protected:
  void SetUp() override {
    const Stated& stated = GetParam();
    const auto found = listed_workloads().find(stated.workload);
    if (found == listed_workloads().end()) {
      const std::string core = stated.workload.substr(0, stated.workload.find('/'));
      ASSERT_FALSE(std::filesystem::exists(std::filesystem::path(k_suite_folder) / core))
          << core << " does not have " << stated.workload;
      GTEST_SKIP() << core << " was not built: its core is not installed";
    }
    m_program = found->second.program;
    const std::string& line = found->second.line;
    EXPECT_EQ(line.find("\"gate\": \"exact\"") != std::string::npos, stated.bytes.has_value()) << line;
    EXPECT_EQ(line.find("\"compiler\"") != std::string::npos, !stated.compiler.empty()) << line;
    if (!stated.core.empty() && !is_of_version(line, stated.core_version)) {
      m_stated_for = stated.core + " " + stated.core_version + ", this is " + line;
    } else if (!stated.compiler.empty() && stated.compiler != own_compiler()) {
      m_stated_for = stated.compiler + ", this is " + own_compiler();
    }
  }

  [[nodiscard]] Program suite_run_of_workload() const { return suite_run(m_program, GetParam().workload, "1,1,2,3"); }

  // What a comment states of another version or compiler proves nothing here; an exact workload then is held to what it
  // counts by itself. Nothing where there is neither.
  [[nodiscard]] std::optional<Stated> counts_to_hold() const {
    Stated counts = GetParam();
    if (m_stated_for.empty()) {
      return counts;
    }
    if (!counts.bytes) {
      return std::nullopt;
    }
    const Outcome alone = run(suite_run_of_workload());
    if (alone.windows.empty()) {
      ADD_FAILURE() << "it was not measured: " << alone.output;
      return std::nullopt;
    }
    counts.allocations = counts.most_allocations = alone.windows.front().allocations;
    counts.bytes = alone.windows.front().allocated_bytes;
    return counts;
  }

  static void expect_counts(const Stated& stated, const Program& measured) {
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
      EXPECT_GE(window.allocations, stated.allocations * k_counts[index]);
      EXPECT_LE(window.allocations, stated.most_allocations * k_counts[index]);
      if (stated.bytes) {
        EXPECT_EQ(window.allocated_bytes, *stated.bytes * k_counts[index]);
        EXPECT_EQ(window.deallocations, window.allocations);
        EXPECT_EQ(window.live_bytes, 0);
        EXPECT_EQ(window.open_fds, 0);
      }
    }
  }

  std::filesystem::path m_program;
  std::string m_stated_for;  // what else than this build the comment is about; empty: this is it
};

TEST_P(Workload, CountsWhatItStates) {
  if (!m_stated_for.empty()) {
    GTEST_SKIP() << "the counts are stated for " << m_stated_for;
  }
  expect_counts(GetParam(), suite_run_of_workload());
  expect_counts(GetParam(), suite_run_of_workload());
}

TEST_P(Workload, DoesNotDependOnWhatItInherits) {
  const std::optional<Stated> counts = counts_to_hold();
  if (!counts) {
    GTEST_SKIP() << "not exact, and the counts are stated for " << m_stated_for;
  }
  constexpr std::size_t k_environment_size = 4096;
  Program crowded = suite_run_of_workload();
  crowded.inherited_descriptors = 50;
  crowded.environment["PADDING"] = std::string(k_environment_size, 'x');
  expect_counts(*counts, crowded);
}

TEST_P(Workload, DoesNotDependOnTheAllocator) {
  const std::optional<Stated> counts = counts_to_hold();
  if (!counts) {
    GTEST_SKIP() << "not exact, and the counts are stated for " << m_stated_for;
  }
  for (const char* library : {k_mimalloc, k_jemalloc}) {
    if (*library == '\0') {
      GTEST_SKIP() << "mimalloc and jemalloc are not both installed (Debian: libmimalloc2.0, libjemalloc2)";
    }
    SCOPED_TRACE(library);
    Program over_another = suite_run_of_workload();
    over_another.preload.emplace_back(library);
    expect_counts(*counts, over_another);
  }
}

TEST_P(Workload, RunsAsAnyGoogleBenchmarkProgram) {
  const Outcome outcome =
      run({.path = m_program,
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

TEST(Workloads, AllStateWhatTheyCount) {
  const std::vector<Stated> stated = stated_counts();
  for (const auto& [name, listed] : listed_workloads()) {
    EXPECT_TRUE(std::any_of(stated.begin(), stated.end(), [&](const Stated& one) { return one.workload == name; }))
        << name << " of " << listed.program << " is in no line 'counts per iteration of'";
  }
}

TEST(Workloads, LayersAreWorkloads) {
  static const std::regex layer(R"re("layer": "[^"]+", "workload": "([^"]+)")re");
  std::size_t checked = 0;
  for (const auto& [name, listed] : listed_workloads()) {
    for (std::sregex_iterator match(listed.line.begin(), listed.line.end(), layer), end; match != end; ++match) {
      const std::string alone = (*match)[1];
      const std::filesystem::path program = std::filesystem::path(k_suite_folder) / alone.substr(0, alone.find('/'));
      EXPECT_TRUE(listed_workloads().count(alone) != 0 || !std::filesystem::exists(program))
          << name << " names a layer that is not there: " << alone;
      ++checked;
    }
  }
  EXPECT_GT(checked, 0U);
}

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

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "baselines/baseline_store.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "example_documents.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

Baseline of_suite(std::string suite, std::string testbed_id = example_testbed().id) {
  Baseline baseline = baseline_with("w", {{"allocations", exact_measure(10)}});
  baseline.suite = std::move(suite);
  baseline.testbed.id = std::move(testbed_id);
  return baseline;
}

Result of_suites(const std::vector<std::string>& suites) {
  Result result = result_with({});
  for (const std::string& suite : suites) {
    WorkloadResult workload = example_workload("w", {{"allocations", exact_series(10)}});
    workload.suite = suite;
    result.workloads.push_back(workload);
  }
  return result;
}

std::vector<std::string> suites_in(const std::vector<Baseline>& baselines) {
  std::vector<std::string> names;
  for (const Baseline& baseline : baselines) {
    names.push_back(baseline.testbed.id + "/" + baseline.suite);
  }
  return names;
}

TEST(BaselineStore, IsEmptyWithoutAFolder) {
  const TemporaryFolder folder;
  const BaselineStore store(folder.path() / "nowhere");
  EXPECT_TRUE(store.entries().empty());
  EXPECT_FALSE(store.load("testbed", "suite"));
  EXPECT_TRUE(store.baselines_for(of_suites({"a"}), std::nullopt).empty());
}

TEST(BaselineStore, ReadsWhatItWrote) {
  const TemporaryFolder folder;
  const BaselineStore store(folder.path());
  store.save(of_suite("a"));
  EXPECT_TRUE(fs::exists(folder.path() / example_testbed().id / "a.json"));
  const std::optional<Baseline> read = store.load(example_testbed().id, "a");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->workloads.at("w").measures.at("allocations").value, 10);
  EXPECT_EQ(store.entries().size(), 1U);
}

TEST(BaselineStore, PassesOverTheSchemas) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "schema");
  write_file_atomically(folder.path() / "schema" / "baseline.schema.json", "{}");
  EXPECT_TRUE(BaselineStore(folder.path()).entries().empty());
}

TEST(BaselineStore, GivesEverySuiteOfTheTestbed) {
  const TemporaryFolder folder;
  const BaselineStore store(folder.path());
  store.save(of_suite("a"));
  store.save(of_suite("b"));
  const std::string id = example_testbed().id;
  // `b` has no result: what vanished must still be found.
  EXPECT_EQ(suites_in(store.baselines_for(of_suites({"a"}), std::nullopt)),
            (std::vector<std::string>{id + "/a", id + "/b"}));
  EXPECT_EQ(suites_in(store.baselines_for(of_suites({"a"}), std::vector<std::string>{"a"})),
            (std::vector<std::string>{id + "/a"}));
}

TEST(BaselineStore, TakesTheNearestTestbedOnlyWhereItsOwnHasNone) {
  const TemporaryFolder folder;
  const BaselineStore store(folder.path());
  store.save(of_suite("a"));
  store.save(of_suite("a", "other"));
  store.save(of_suite("b", "other"));
  store.save(of_suite("c", "other"));
  EXPECT_EQ(suites_in(store.baselines_for(of_suites({"a", "b"}), std::nullopt)),
            (std::vector<std::string>{example_testbed().id + "/a", "other/b"}));
}

TEST(BaselineStore, RefusesADamagedFileByName) {
  const TemporaryFolder folder;
  const BaselineStore store(folder.path());
  const fs::path file = store.file_of(example_testbed().id, "a");
  write_file_atomically(file, "{\"schema\": \"allocgate.base");
  try {
    static_cast<void>(store.load(example_testbed().id, "a"));
    FAIL() << "a cut file was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unreadable_input);
    EXPECT_THAT(error.what(), HasSubstr(file.string()));
  }
}

TEST(NearestBaselinesFolder, LooksUpwards) {
  const TemporaryFolder folder;
  fs::create_directories(folder.path() / "project/baselines");
  fs::create_directories(folder.path() / "project/src/deep");
  EXPECT_EQ(nearest_baselines_folder(folder.path() / "project/src/deep"), folder.path() / "project/baselines");
}

}  // namespace
}  // namespace allocgate

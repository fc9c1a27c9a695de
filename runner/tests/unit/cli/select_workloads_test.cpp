// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/select_workloads.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::vector<std::string> k_names = {"asio/ping_pong", "asio/udp", "beast/1000_reqs", "BM_a[1]", "noop"};

std::vector<std::size_t> select(const std::vector<std::string>& patterns) {
  return select_workloads(k_names, patterns);
}

TEST(SelectWorkloads, TakesNamesGlobsAndRegularExpressions) {
  EXPECT_THAT(select({}), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(select({"noop", "asio/udp"}), ElementsAre(1, 4));
  EXPECT_THAT(select({"asio/*"}), ElementsAre(0, 1));
  EXPECT_THAT(select({"/udp|1000/"}), ElementsAre(1, 2));
  EXPECT_THAT(select({"*", "noop"}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(SelectWorkloads, ANameOfGlobCharactersMeansItself) {
  EXPECT_THAT(select({"BM_a[1]"}), ElementsAre(3));
}

TEST(SelectWorkloads, SaysTheNearestName) {
  try {
    select({"noop", "asio/ping_pnog"});
    FAIL() << "a name that means nothing was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_THAT(error.what(), HasSubstr("asio/ping_pnog"));
    EXPECT_THAT(error.what(), HasSubstr("asio/ping_pong"));
  }
}

TEST(SelectWorkloads, RefusesAnExpressionThatIsNone) {
  EXPECT_THROW(select({"/(/"}), Error);
}

const std::vector<Choosable> k_over_cores = {{"asio/ping", {"asio"}},
                                             {"asio/udp", {"asio"}},
                                             {"asio_uring/ping", {"asio", "asio_uring"}},
                                             {"uv/ping", {"uv"}},
                                             {"noop", {}}};

TEST(SelectWorkloads, TakesThoseOverACore) {
  EXPECT_THAT(select_workloads(k_over_cores, {{}, {"asio"}}), ElementsAre(0, 1, 2));
  EXPECT_THAT(select_workloads(k_over_cores, {{}, {"asio_uring", "uv"}}), ElementsAre(2, 3));
  EXPECT_THAT(select_workloads(k_over_cores, {{"*/ping"}, {"asio", "uv"}}), ElementsAre(0, 2, 3));
  EXPECT_THAT(select_workloads(k_over_cores, {}), ElementsAre(0, 1, 2, 3, 4));
}

TEST(SelectWorkloads, AChoiceMeansWhatIsOfBoth) {
  const WorkloadChoice choice{{"*/ping"}, {"asio"}};
  EXPECT_TRUE(choice.means(k_over_cores[0]));
  EXPECT_FALSE(choice.means(k_over_cores[1]));
  EXPECT_FALSE(choice.means(k_over_cores[3]));
  EXPECT_FALSE(choice.means_all());
  EXPECT_TRUE(WorkloadChoice{}.means(k_over_cores[4]));
}

TEST(SelectWorkloads, SaysTheNearestCore) {
  try {
    select_workloads(k_over_cores, {{}, {"uv", "asoi"}});
    FAIL() << "a core that nobody has was accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    EXPECT_STREQ(error.what(),
                 "no workload is over the core 'asoi' (did you mean asio?); there are asio, asio_uring, uv");
  }
  EXPECT_THROW(select_workloads(k_over_cores, {{"uv/*"}, {"asio"}}), Error);
}

}  // namespace
}  // namespace allocgate

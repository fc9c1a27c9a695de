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

}  // namespace
}  // namespace allocgate

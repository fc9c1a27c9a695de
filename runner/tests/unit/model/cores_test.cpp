// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/cores.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Cores, AreWhatCountsDependOnAndTheProgram) {
  EXPECT_THAT(cores_of("uv/ping", "uv", {"compiler", "core.llhttp", "core.uv"}), ElementsAre("llhttp", "uv"));
  EXPECT_THAT(cores_of("asio_uring/ping", "asio_uring", {"core.asio"}), ElementsAre("asio", "asio_uring"));
  EXPECT_THAT(cores_of("parse/64", "my_bench", {"core.http"}), ElementsAre("http"));
  EXPECT_THAT(cores_of("noop", "noop", {"compiler"}), IsEmpty());
}

TEST(Cores, NamesBeginWithTheirCore) {
  const auto name = name_by_core("uv/1000_reqs_1_conn/2_threads", {"llhttp", "uv"});
  ASSERT_TRUE(name);
  EXPECT_EQ(name->core, "uv");
  EXPECT_EQ(name->workload, "1000_reqs_1_conn/2_threads");
  EXPECT_FALSE(name_by_core("parse/64", {"http", "my_bench"}));
  EXPECT_FALSE(name_by_core("uv", {"uv"}));
}

}  // namespace
}  // namespace allocgate

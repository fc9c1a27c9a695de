// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/exit_code.hpp"

#include <gtest/gtest.h>

#include <array>

namespace allocgate {
namespace {

TEST(ExitCode, TwoOverThreeOverSixOverSevenOverFiveOverFour) {
  constexpr std::array k_order = {
      ExitCode::regression,  ExitCode::not_measured, ExitCode::blind, ExitCode::not_comparable,
      ExitCode::no_baseline, ExitCode::improvement,  ExitCode::fine};
  for (std::size_t graver = 0; graver < k_order.size(); ++graver) {
    for (std::size_t lighter = graver; lighter < k_order.size(); ++lighter) {
      EXPECT_EQ(worse_of(k_order[graver], k_order[lighter]), k_order[graver]);
      EXPECT_EQ(worse_of(k_order[lighter], k_order[graver]), k_order[graver]);
    }
  }
}

TEST(ExitCode, CombinesSeveral) {
  EXPECT_EQ(combine({}), ExitCode::fine);
  EXPECT_EQ(combine({ExitCode::improvement, ExitCode::no_baseline, ExitCode::not_comparable}),
            ExitCode::not_comparable);
  EXPECT_EQ(combine({ExitCode::blind, ExitCode::not_measured, ExitCode::fine}), ExitCode::not_measured);
  EXPECT_EQ(combine({ExitCode::not_measured, ExitCode::regression}), ExitCode::regression);
}

TEST(ExitCode, FailuresOfTheCommandItselfOverFindings) {
  EXPECT_EQ(combine({ExitCode::regression, ExitCode::unreadable_input}), ExitCode::unreadable_input);
  EXPECT_EQ(combine({ExitCode::regression, ExitCode::interrupted}), ExitCode::interrupted);
}

}  // namespace
}  // namespace allocgate

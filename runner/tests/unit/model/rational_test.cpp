// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/rational.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

TEST(Rational, IsInLowestTermsWithAPositiveDenominator) {
  EXPECT_EQ(*make_rational(6, -4), (Rational{-3, 2}));
  EXPECT_EQ(*make_rational(0, -7), (Rational{0, 1}));
  EXPECT_FALSE(make_rational(1, 0));
}

TEST(Rational, CalculatesExactly) {
  const Rational third = *make_rational(1, 3);
  const Rational half = *make_rational(1, 2);
  EXPECT_EQ(*(third - half), (Rational{-1, 6}));
  EXPECT_EQ(*(third * half), (Rational{1, 6}));
  EXPECT_EQ(*(third / half), (Rational{2, 3}));
  EXPECT_FALSE(half / Rational{});
}

TEST(Rational, GivesNothingInsteadOfARoundedNumber) {
  constexpr Wide k_greatest = std::numeric_limits<Wide>::max();
  const Rational great = *make_rational(k_greatest, 1);
  EXPECT_FALSE(great * Rational({2, 1}));
  EXPECT_FALSE(great - Rational({-1, 1}));
  EXPECT_FALSE(make_rational(std::numeric_limits<Wide>::min(), 1));
  EXPECT_FALSE(slope_of(great));
  EXPECT_FALSE(slope_of(*make_rational(1, k_greatest)));
}

TEST(Rational, ComesFromASlopeAndBack) {
  const Slope slope = *slope_of(rational_of(Slope{-20, 60}));
  EXPECT_EQ(slope.count, -1);
  EXPECT_EQ(slope.iterations, 3U);
}

}  // namespace
}  // namespace allocgate

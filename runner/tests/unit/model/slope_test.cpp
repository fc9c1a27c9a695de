// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/slope.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

constexpr Count k_greatest = std::numeric_limits<Count>::max();
constexpr Count k_smallest = std::numeric_limits<Count>::min();

TEST(Slope, IsInLowestTerms) {
  const Slope slope = make_slope(-6, 4);
  EXPECT_EQ(slope.count, -3);
  EXPECT_EQ(slope.iterations, 2u);
  EXPECT_EQ(make_slope(0, 7).iterations, 1u);
  EXPECT_EQ(make_slope(k_smallest, 2).count, k_smallest / 2);
  EXPECT_TRUE((Slope{2, 4}) == (Slope{1, 2}));
}

TEST(Slope, DifferencesAreExact) {
  const auto third = difference({1, 2}, {1, 6});
  ASSERT_TRUE(third);
  EXPECT_EQ(third->count, 1);
  EXPECT_EQ(third->iterations, 3u);
  EXPECT_EQ(difference({5, 1}, {5, 1})->count, 0);
  EXPECT_EQ(difference({1, 1}, {2, 1})->count, -1);
}

TEST(Slope, DifferencesThatDoNotFitAreNotGiven) {
  EXPECT_FALSE(difference({k_greatest, 1}, {k_smallest, 1}));
  EXPECT_FALSE(difference({1, std::numeric_limits<std::uint64_t>::max()}, {1, k_greatest}));
  EXPECT_EQ(difference({k_greatest, 1}, {1, 1})->count, k_greatest - 1);
}

TEST(Slope, ReadsAsPeopleSayIt) {
  EXPECT_EQ(per_iteration_text({20021, 1}), "20 021 per iteration");
  EXPECT_EQ(per_iteration_text({10, 30}), "1 per 3 iterations");
  EXPECT_EQ(per_iteration_text({3, 2}), "3 per 2 iterations (1.5 each)");
  EXPECT_EQ(per_iteration_text({20021, 1000}), "20 021 per 1 000 iterations (20.021 each)");
  EXPECT_EQ(per_iteration_text({0, 1}), "0 per iteration");
  EXPECT_EQ(per_iteration_text({-2, 1}), "-2 per iteration");
  EXPECT_EQ(signed_per_iteration_text({1, 1}), "+1 per iteration");
  EXPECT_EQ(signed_per_iteration_text({-1, 3}), "-1 per 3 iterations");
}

TEST(Slope, DecimalsNeverHideThatThereIsSomething) {
  EXPECT_EQ(decimal_text({20021, 1}), "20 021");
  EXPECT_EQ(decimal_text({1, 3}), "0.333");
  EXPECT_EQ(decimal_text({-3, 2}), "-1.5");
  EXPECT_EQ(decimal_text({1, 10000}), "<0.001");
  EXPECT_EQ(decimal_text({-1, 10000}), ">-0.001");
  EXPECT_EQ(decimal_text({9999, 10000}), "1.000");
  EXPECT_EQ(decimal_text({12345678, 1000}), "12 345.678");
  EXPECT_EQ(decimal_text({k_greatest, 1}), "9 223 372 036 854 775 807");
}

TEST(SeriesText, NamesWhatHappensOnce) {
  Series series;
  series.median = 75'001;
  EXPECT_EQ(series_text(series, 1000), "75 001 in 1 000 iterations");
  EXPECT_EQ(series_text(series, 1), "75 001 in 1 iteration");
  series.linear = true;
  series.slope = Slope{75, 1};
  series.setup = 1;
  EXPECT_EQ(series_text(series, 1000), "75 per iteration + 1 once");
  series.setup = -2;
  EXPECT_EQ(series_text(series, 1000), "75 per iteration - 2 once");
  series.setup = 0;
  EXPECT_EQ(series_text(series, 1000), "75 per iteration");
  series.slope = Slope{0, 1};
  EXPECT_EQ(series_text(series, 1000), "0 per iteration");
  series.setup = 3;
  EXPECT_EQ(series_text(series, 1000), "3 once");
}

TEST(ModesText, ListsSeveralValuesWithHowOftenTheyWereSeen) {
  EXPECT_EQ(modes_text({}), "");
  EXPECT_EQ(modes_text(std::vector<Sample>{{100, 3}}), "");
  EXPECT_EQ(modes_text(std::vector<Sample>{{1000, 3}, {1004, 2}}), "1 000 x3, 1 004 x2");
  std::vector<Sample> many;
  for (Count value = 0; value < 10; ++value) {
    many.push_back({value, 1});
  }
  EXPECT_EQ(modes_text(many), "0 x1, 1 x1, 2 x1, 3 x1, 4 x1, 5 x1, 6 x1, 7 x1 and 2 more");
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/text.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

using namespace std::chrono_literals;

TEST(Grouped, PutsASpaceBetweenThousands) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1 000");
  EXPECT_EQ(grouped(20021), "20 021");
  EXPECT_EQ(grouped(-1234), "-1 234");
  EXPECT_EQ(grouped(-123), "-123");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::max()), "9 223 372 036 854 775 807");
  EXPECT_EQ(grouped(std::numeric_limits<std::int64_t>::min()), "-9 223 372 036 854 775 808");
  EXPECT_EQ(grouped_unsigned(std::numeric_limits<std::uint64_t>::max()), "18 446 744 073 709 551 615");
}

TEST(Grouped, ShowsTheSignOfADifference) {
  EXPECT_EQ(grouped_with_sign(1000), "+1 000");
  EXPECT_EQ(grouped_with_sign(0), "0");
  EXPECT_EQ(grouped_with_sign(-5), "-5");
}

TEST(DurationText, KeepsTwoOrThreeDigits) {
  EXPECT_EQ(duration_text(850ns), "850 ns");
  EXPECT_EQ(duration_text(12500us), "12.5 ms");
  EXPECT_EQ(duration_text(999us), "999 us");
  EXPECT_EQ(duration_text(3200ms), "3.20 s");
  EXPECT_EQ(duration_text(59900ms), "59.9 s");
  EXPECT_EQ(duration_text(125s), "2 min 05 s");
  EXPECT_EQ(duration_text(2h + 3min), "2 h 03 min");
}

TEST(NearestName, FindsWhatWasMeant) {
  const std::vector<std::string> names = {"allocations", "allocated_bytes", "live_allocations", "noop"};
  EXPECT_EQ(nearest_name("alocations", names), "allocations");
  EXPECT_EQ(nearest_name("allocated-bytes", names), "allocated_bytes");
  EXPECT_EQ(nearest_name("nop", names), "noop");
  EXPECT_EQ(nearest_name("onop", names), "noop");
  EXPECT_EQ(nearest_name("zzzz", names), std::nullopt);
  EXPECT_EQ(nearest_name("x", {}), std::nullopt);
  EXPECT_EQ(did_you_mean("nop", names), " (did you mean noop?)");
  EXPECT_EQ(did_you_mean("zzzz", names), "");
}

struct GlobCase {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

class Glob : public testing::TestWithParam<GlobCase> {};

TEST_P(Glob, Matches) {
  EXPECT_EQ(glob_matches(GetParam().pattern, GetParam().text), GetParam().matches)
      << GetParam().pattern << " on " << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(Patterns, Glob,
                         testing::Values(GlobCase{"", "", true}, GlobCase{"*", "", true}, GlobCase{"", "a", false},
                                         GlobCase{"asio/*", "asio/ping", true}, GlobCase{"asio/*", "beast/x", false},
                                         GlobCase{"*_1_conn", "asio/udp_1000_reqs_1_conn", true},
                                         GlobCase{"*a*b*", "xxaxxbxx", true}, GlobCase{"*a*b*", "xxbxxaxx", false},
                                         GlobCase{"a?c", "abc", true}, GlobCase{"a?c", "ac", false},
                                         GlobCase{"[a-c]x", "bx", true}, GlobCase{"[a-c]x", "dx", false},
                                         GlobCase{"[!a-c]x", "dx", true}, GlobCase{"[]]", "]", true},
                                         GlobCase{"[a", "[a", true}, GlobCase{"noop", "noop", true},
                                         GlobCase{"noop", "noop/2", false}, GlobCase{"*aab", "aaaaab", true}));

TEST(Glob, KnowsItsCharacters) {
  EXPECT_TRUE(is_glob("asio/*"));
  EXPECT_TRUE(is_glob("a[bc]"));
  EXPECT_FALSE(is_glob("asio/ping_pong"));
}

TEST(ShellQuoted, MakesOneWordOfAnything) {
  EXPECT_EQ(shell_quoted("asio/ping_pong"), "asio/ping_pong");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("two words"), "'two words'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  const std::vector<std::string> line = {"ls", "-l", "$HOME"};
  EXPECT_EQ(shell_quoted(line), "ls -l '$HOME'");
}

TEST(Joined, PutsTheSeparatorBetween) {
  const std::vector<std::string> parts = {"a", "b"};
  EXPECT_EQ(joined(parts, ", "), "a, b");
  EXPECT_EQ(joined({}, ", "), "");
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/pairing.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace allocgate {
namespace {

using Stack = std::vector<std::uint32_t>;
using Pairs = std::vector<std::pair<Stack, Stack>>;

std::vector<std::uint32_t> all_different(std::size_t names) {
  std::vector<std::uint32_t> kin(names);
  std::iota(kin.begin(), kin.end(), 0);
  return kin;
}

Pairs pairs_of(const std::vector<Stack>& before, const std::vector<Stack>& after,
               const std::vector<std::uint32_t>& kin = all_different(100)) {
  const std::vector<Leftover> left(before.begin(), before.end());
  const std::vector<Leftover> right(after.begin(), after.end());
  Pairs pairs;
  for (const Pairing::Pair& pair : pair_leftovers(left, right, kin).pairs) {
    pairs.emplace_back(before[pair.before], after[pair.after]);
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

TEST(Pairing, FindsACallThatWasInlined) {
  EXPECT_EQ(pairs_of({{1, 2, 3, 4}}, {{1, 3, 4}, {9, 8, 7}}), (Pairs{{{1, 2, 3, 4}, {1, 3, 4}}}));
  EXPECT_EQ(pairs_of({{1, 3, 4}}, {{1, 2, 3, 4}}), (Pairs{{{1, 3, 4}, {1, 2, 3, 4}}}));
}

TEST(Pairing, FindsARenamedFunction) {
  EXPECT_EQ(pairs_of({{1, 2, 3, 4}}, {{1, 5, 3, 4}}), (Pairs{{{1, 2, 3, 4}, {1, 5, 3, 4}}}));
}

TEST(Pairing, LeavesAloneWhatIsNotAlike) {
  EXPECT_EQ(pairs_of({{1, 9}}, {{2, 9}}), Pairs{});
  EXPECT_EQ(pairs_of({{1, 2, 3, 4}}, {{1, 5, 6, 7}}), Pairs{});
}

TEST(Pairing, PrefersInliningToAnotherNameAndKinToStrangers) {
  EXPECT_EQ(pairs_of({{1, 2, 3, 4, 5}}, {{1, 7, 3, 4, 5}, {1, 3, 4, 5}}), (Pairs{{{1, 2, 3, 4, 5}, {1, 3, 4, 5}}}));
  std::vector<std::uint32_t> kin = all_different(100);
  kin[8] = kin[2];
  EXPECT_EQ(pairs_of({{1, 2, 3, 4, 5}}, {{1, 7, 3, 4, 5}, {1, 8, 3, 4, 5}}, kin),
            (Pairs{{{1, 2, 3, 4, 5}, {1, 8, 3, 4, 5}}}));
}

TEST(Pairing, BreaksTiesByNameWhateverTheOrder) {
  const std::vector<Stack> before = {{1, 2, 3, 4}, {1, 6, 3, 4}};
  const std::vector<Stack> after = {{1, 8, 3, 4}, {1, 7, 3, 4}};
  const Pairs expected = {{{1, 2, 3, 4}, {1, 7, 3, 4}}, {{1, 6, 3, 4}, {1, 8, 3, 4}}};
  EXPECT_EQ(pairs_of(before, after), expected);
  EXPECT_EQ(pairs_of({before[1], before[0]}, {after[1], after[0]}), expected);
}

TEST(Pairing, MeasuresByFrames) {
  const std::vector<std::uint32_t> kin = all_different(10);
  EXPECT_EQ(distance(Stack{1, 2, 3}, Stack{1, 2, 3}, kin), 0);
  EXPECT_EQ(distance(Stack{1, 2, 3}, Stack{1, 3}, kin), 1);
  EXPECT_EQ(distance(Stack{1, 2, 3}, Stack{1, 4, 3}, kin), 2);
  EXPECT_TRUE(equal_but_for_inlining(Stack{1, 2, 3, 4}, Stack{1, 4}));
  EXPECT_FALSE(equal_but_for_inlining(Stack{1, 2, 3}, Stack{1, 4}));
  EXPECT_FALSE(equal_but_for_inlining(Stack{1, 2}, Stack{1, 2}));
}

TEST(Pairing, LooksForInliningAloneWhenThereAreTooMany) {
  constexpr std::uint32_t k_pairs = k_most_leftovers_by_similarity / 2 + 1;
  constexpr std::uint32_t k_names = k_pairs + 20;
  std::vector<Stack> before;
  std::vector<Stack> after;
  // Many stacks that differ in one frame alone: each finds its own, though all share both halves.
  for (std::uint32_t i = 0; i < k_pairs; ++i) {
    before.push_back({1, 2, i + 20, 3, 4, 5});
    after.push_back({1, 2, i + 20, 4, 5});
  }
  before.push_back({6, 7, 8, 9});
  after.push_back({6, 10, 8, 9});  // renamed, which is not looked for
  std::shuffle(after.begin(), after.end(), std::mt19937(1));
  const std::vector<Leftover> left(before.begin(), before.end());
  const std::vector<Leftover> right(after.begin(), after.end());
  const Pairing pairing = pair_leftovers(left, right, all_different(k_names));
  EXPECT_TRUE(pairing.only_equal_but_for_inlining);
  ASSERT_EQ(pairing.pairs.size(), k_pairs);
  for (const Pairing::Pair& pair : pairing.pairs) {
    EXPECT_EQ(before[pair.before][2], after[pair.after][2]);
  }
}

}  // namespace
}  // namespace allocgate

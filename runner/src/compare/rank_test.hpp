// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/rank_test.hpp"
#include "model/result.hpp"

#include <optional>
#include <span>
#include <string>

// Are two sets of processes different beyond chance? For series that are not exact; between exact ones every
// difference is real and nothing is tested. Pure functions.
namespace allocgate {

/// The Mann-Whitney U test of two sides with ties (Mann and Whitney 1947): p is exact, from the permutation
/// distribution of the tied ranks, up to 60 values, beyond them the normal approximation with corrections for ties and
/// continuity. Not adjusted for other tests yet. Nothing when a side has no value.
std::optional<RankTest> rank_test(std::span<const Sample> before, std::span<const Sample> after);

/// The step-down adjustment of Holm (1979) over all tests of one judgement, in place. `can_decide` is set where the
/// smallest p that such numbers of processes can reach would still be significant after it.
void adjust_by_holm(std::span<RankTest*> tests);

/// "p = 0.012 by ranks, effect +0.82, 10 and 10 processes": what is said about the test in a sentence.
std::string describe(const RankTest& test);

}  // namespace allocgate

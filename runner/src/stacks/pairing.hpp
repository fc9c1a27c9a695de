// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace allocgate {

/// A stack that one recording has and the other has not: its frames, innermost first, as the ranks of their names.
using Leftover = std::span<const std::uint32_t>;

struct Pairing {
  struct Pair {
    std::size_t before = 0;  // positions in what was given
    std::size_t after = 0;
  };
  std::vector<Pair> pairs;                   // by position before
  bool only_equal_but_for_inlining = false;  // there were too many to compare by similarity
};

/// Above this many leftovers on both sides together only pairs that are equal but for inlining are looked for.
constexpr std::size_t k_most_leftovers_by_similarity = 20'000;

/// Pairs what is most likely the same code under other names: a call that was inlined and is not any more, a function
/// with another name or signature. Each leftover is in one pair at most; the best pairs are made first, and of equally
/// good ones the first by name. Candidates share a leaf half or a root half, at most 64 each, or differ in one inlined
/// call. `kin[rank]` is the same for names that differ in template arguments, parameters and enclosing names only.
/// Pure: the same leftovers, in whatever order, give the same pairs.
Pairing pair_leftovers(std::span<const Leftover> before, std::span<const Leftover> after,
                       std::span<const std::uint32_t> kin);

/// Whether one of the stacks is the other without some of its frames.
bool equal_but_for_inlining(Leftover left, Leftover right);

/// What turning one stack into the other costs: 1 for each frame that comes or goes (a call was inlined or is not any
/// more), 1 for a frame whose name is kin, 2 for any other.
std::size_t distance(Leftover left, Leftover right, std::span<const std::uint32_t> kin);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/pairing.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

namespace allocgate {

namespace {

constexpr std::size_t k_most_candidates = 64;
constexpr std::size_t k_longest_compared = 512;  // frames that are left when both ends that are equal are cut off

struct Candidate {
  std::size_t cost = 0;
  std::size_t length = 0;  // of both stacks together
  std::size_t before = 0;  // positions in order of names
  std::size_t after = 0;
};

/// At least three fifths of both stacks are the same frames in the same order.
bool is_alike(std::size_t cost, std::size_t length) {
  return cost * 5 <= length * 2;
}

bool leaf_first_less(Leftover left, Leftover right) {
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end());
}

bool root_first_less(Leftover left, Leftover right) {
  return std::lexicographical_compare(left.rbegin(), left.rend(), right.rbegin(), right.rend());
}

/// The leftovers of one side, sorted from one end, so that those with one half in common lie side by side.
class SortedSide {
public:
  using Less = bool (*)(Leftover, Leftover);

  SortedSide(std::span<const Leftover> stacks, Less less, bool from_leaf)
      : m_stacks(stacks), m_less(less), m_from_leaf(from_leaf), m_order(stacks.size()) {
    std::iota(m_order.begin(), m_order.end(), 0);
    std::stable_sort(m_order.begin(), m_order.end(),
                     [this](std::size_t left, std::size_t right) { return m_less(m_stacks[left], m_stacks[right]); });
  }

  /// Those that share the half of `stack`, the nearest to it first in both directions, at most k_most_candidates.
  template <typename Use>
  void for_those_like(Leftover stack, const Use& use) const {
    const std::size_t length = std::max<std::size_t>(1, stack.size() / 2);
    const Leftover half =
        m_from_leaf ? stack.first(std::min(length, stack.size())) : stack.last(std::min(length, stack.size()));
    const auto middle =
        std::lower_bound(m_order.begin(), m_order.end(), stack,
                         [this](std::size_t position, Leftover wanted) { return m_less(m_stacks[position], wanted); });
    auto down = middle;
    auto up = middle;
    for (std::size_t used = 0; used < k_most_candidates;) {
      const bool more_down = down != m_order.begin() && shares(m_stacks[*(down - 1)], half);
      const bool more_up = up != m_order.end() && shares(m_stacks[*up], half);
      if (!more_down && !more_up) {
        return;
      }
      if (more_down) {
        use(*--down);
        ++used;
      }
      if (more_up && used < k_most_candidates) {
        use(*up++);
        ++used;
      }
    }
  }

private:
  [[nodiscard]] bool shares(Leftover stack, Leftover half) const {
    if (stack.size() < half.size()) {
      return false;
    }
    const Leftover own = m_from_leaf ? stack.first(half.size()) : stack.last(half.size());
    return std::equal(own.begin(), own.end(), half.begin());
  }

  std::span<const Leftover> m_stacks;
  Less m_less;
  bool m_from_leaf;
  std::vector<std::size_t> m_order;
};

constexpr std::uint64_t k_base = 0x9e3779b97f4a7c15U;  // odd, so that powers keep their bits

/// Hashes of a stack and of the stacks it becomes when one of its frames is inlined.
class RollingHash {
public:
  explicit RollingHash(Leftover stack) : m_stack(stack), m_prefix(stack.size() + 1, 0), m_power(stack.size() + 1, 1) {
    for (std::size_t i = 0; i < stack.size(); ++i) {
      m_prefix[i + 1] = m_prefix[i] * k_base + stack[i] + 1;
      m_power[i + 1] = m_power[i] * k_base;
    }
  }
  [[nodiscard]] std::uint64_t whole() const { return m_prefix.back(); }
  [[nodiscard]] std::uint64_t without(std::size_t i) const {
    const std::size_t behind = m_stack.size() - i - 1;
    return m_prefix[i] * m_power[behind] + (m_prefix.back() - m_prefix[i + 1] * m_power[behind]);
  }

private:
  Leftover m_stack;
  std::vector<std::uint64_t> m_prefix;
  std::vector<std::uint64_t> m_power;
};

/// All candidates of two sides, whose stacks are in order of their names.
class CandidateSearch {
public:
  CandidateSearch(std::span<const Leftover> before, std::span<const Leftover> after, std::span<const std::uint32_t> kin,
                  bool by_similarity)
      : m_before(before), m_after(after), m_kin(kin), m_by_similarity(by_similarity) {}

  std::vector<Candidate> run() {
    const auto forward = [this](std::size_t before, std::size_t after) { consider(before, after); };
    const auto backward = [this](std::size_t after, std::size_t before) { consider(before, after); };
    search_halves(m_before, m_after, forward);
    search_halves(m_after, m_before, backward);
    search_one_inlined(m_before, m_after, forward);
    search_one_inlined(m_after, m_before, backward);
    return std::move(m_candidates);
  }

private:
  template <typename Consider>
  static void search_halves(std::span<const Leftover> from, std::span<const Leftover> among, const Consider& consider) {
    const SortedSide by_leaf(among, leaf_first_less, true);
    const SortedSide by_root(among, root_first_less, false);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const auto use = [i, &consider](std::size_t other) { consider(i, other); };
      by_leaf.for_those_like(from[i], use);
      by_root.for_those_like(from[i], use);
    }
  }

  /// A stack of `longer` without one frame is a stack of `shorter`: found whatever else lies between them.
  template <typename Consider>
  static void search_one_inlined(std::span<const Leftover> longer, std::span<const Leftover> shorter,
                                 const Consider& consider) {
    std::unordered_map<std::uint64_t, std::size_t> whole;
    for (std::size_t i = 0; i < shorter.size(); ++i) {
      whole.emplace(RollingHash(shorter[i]).whole(), i);
    }
    for (std::size_t i = 0; i < longer.size(); ++i) {
      const RollingHash hash(longer[i]);
      for (std::size_t frame = 0; frame < longer[i].size(); ++frame) {
        const auto found = whole.find(hash.without(frame));
        if (found != whole.end()) {
          consider(i, found->second);
        }
      }
    }
  }

  void consider(std::size_t before, std::size_t after) {
    const Leftover left = m_before[before];
    const Leftover right = m_after[after];
    const std::size_t length = left.size() + right.size();
    const std::size_t longer_by = std::max(left.size(), right.size()) - std::min(left.size(), right.size());
    if (!is_alike(longer_by, length)) {
      return;
    }
    if (!m_by_similarity && !equal_but_for_inlining(left, right)) {
      return;
    }
    const std::size_t cost = m_by_similarity ? distance(left, right, m_kin) : longer_by;
    if (is_alike(cost, length)) {
      m_candidates.push_back({cost, length, before, after});
    }
  }

  std::span<const Leftover> m_before;
  std::span<const Leftover> m_after;
  std::span<const std::uint32_t> m_kin;
  bool m_by_similarity;
  std::vector<Candidate> m_candidates;
};

/// Cuts off what both have in common at both ends.
void trim(Leftover& left, Leftover& right) {
  while (!left.empty() && !right.empty() && left.front() == right.front()) {
    left = left.subspan(1);
    right = right.subspan(1);
  }
  while (!left.empty() && !right.empty() && left.back() == right.back()) {
    left = left.first(left.size() - 1);
    right = right.first(right.size() - 1);
  }
}

std::vector<std::size_t> order_by_name(std::span<const Leftover> stacks) {
  std::vector<std::size_t> order(stacks.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [stacks](std::size_t left, std::size_t right) { return leaf_first_less(stacks[left], stacks[right]); });
  return order;
}

std::vector<Leftover> in_order(std::span<const Leftover> stacks, std::span<const std::size_t> order) {
  std::vector<Leftover> sorted;
  for (const std::size_t position : order) {
    sorted.push_back(stacks[position]);
  }
  return sorted;
}

}  // namespace

bool equal_but_for_inlining(Leftover left, Leftover right) {
  const Leftover& longer = left.size() >= right.size() ? left : right;
  const Leftover& shorter = left.size() >= right.size() ? right : left;
  if (longer.size() == shorter.size()) {
    return false;
  }
  std::size_t found = 0;
  for (std::size_t i = 0; i < longer.size() && found < shorter.size(); ++i) {
    found += longer[i] == shorter[found] ? 1 : 0;
  }
  return found == shorter.size();
}

std::size_t distance(Leftover left, Leftover right, std::span<const std::uint32_t> kin) {
  trim(left, right);
  if (left.empty() || right.empty() || std::max(left.size(), right.size()) > k_longest_compared) {
    return left.size() + right.size();
  }
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::uint32_t a = left[i - 1];
      const std::uint32_t b = right[j - 1];
      const std::size_t change = a == b ? 0 : kin[a] == kin[b] ? 1 : 2;
      const std::size_t best = std::min({diagonal + change, row[j] + 1, row[j - 1] + 1});
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row.back();
}

Pairing pair_leftovers(std::span<const Leftover> before, std::span<const Leftover> after,
                       std::span<const std::uint32_t> kin) {
  Pairing result;
  result.only_equal_but_for_inlining = before.size() + after.size() > k_most_leftovers_by_similarity;
  const std::vector<std::size_t> before_order = order_by_name(before);
  const std::vector<std::size_t> after_order = order_by_name(after);
  const std::vector<Leftover> sorted_before = in_order(before, before_order);
  const std::vector<Leftover> sorted_after = in_order(after, after_order);

  CandidateSearch search(sorted_before, sorted_after, kin, !result.only_equal_but_for_inlining);
  std::vector<Candidate> candidates = search.run();
  // Costs are held against lengths as products, so that no quotient is rounded.
  std::sort(candidates.begin(), candidates.end(), [](const Candidate& left, const Candidate& right) {
    const std::size_t a = left.cost * right.length;
    const std::size_t b = right.cost * left.length;
    return std::tie(a, left.before, left.after) < std::tie(b, right.before, right.after);
  });

  std::vector<bool> before_taken(before.size());
  std::vector<bool> after_taken(after.size());
  for (const Candidate& candidate : candidates) {
    if (!before_taken[candidate.before] && !after_taken[candidate.after]) {
      before_taken[candidate.before] = true;
      after_taken[candidate.after] = true;
      result.pairs.push_back({before_order[candidate.before], after_order[candidate.after]});
    }
  }
  std::sort(result.pairs.begin(), result.pairs.end(),
            [](const Pairing::Pair& left, const Pairing::Pair& right) { return left.before < right.before; });
  return result;
}

}  // namespace allocgate

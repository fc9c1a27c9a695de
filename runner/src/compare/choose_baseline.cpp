// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/choose_baseline.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace allocgate {

namespace {

// Smaller fits better.
auto distance_to(const Testbed& testbed, const Baseline& candidate) {
  const auto differing = differences(candidate.testbed, testbed);
  const auto mattering = std::count_if(differing.begin(), differing.end(), [&](const TestbedDifference& difference) {
    return std::any_of(candidate.workloads.begin(), candidate.workloads.end(),
                       [&](const auto& entry) { return matters(difference, entry.second.depends_on); });
  });
  return std::tuple(candidate.testbed.id != testbed.id, mattering, differing.size(), candidate.testbed.id);
}

}  // namespace

std::optional<std::size_t> choose_baseline(const Result& result, const std::string& suite,
                                           std::span<const Baseline> candidates) {
  std::optional<std::size_t> nearest;
  for (std::size_t index = 0; index < candidates.size(); ++index) {
    if (candidates[index].suite == suite && (!nearest || distance_to(result.testbed, candidates[index]) <
                                                             distance_to(result.testbed, candidates[*nearest]))) {
      nearest = index;
    }
  }
  return nearest;
}

std::vector<std::string> suites_of(const Result& result) {
  std::set<std::string> suites;
  for (const WorkloadResult& workload : result.workloads) {
    suites.insert(workload.suite);
  }
  return {suites.begin(), suites.end()};
}

}  // namespace allocgate

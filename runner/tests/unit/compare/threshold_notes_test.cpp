// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/threshold_notes.hpp"

#include "compare/comparison.hpp"
#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

std::vector<std::string> notes_on(Count before, Count after, const std::vector<ThresholdRule>& rules) {
  const std::vector<Result> results = {result_with({example_workload("ping", {{"allocations", exact_series(before)}})}),
                                       result_with({example_workload("ping", {{"allocations", exact_series(after)}})})};
  Comparison comparison = compare_results(results, std::vector<std::string>{"a", "b"});
  add_threshold_notes(rules, comparison);
  return comparison.notes;
}

TEST(ThresholdNotes, SayWhichChangesGoBeyondAConfiguredRule) {
  const std::vector<ThresholdRule> rules = {
      {"ping", "allocations", {std::nullopt, std::nullopt, 5}, ThresholdSource::configuration}};
  EXPECT_TRUE(notes_on(100, 105, rules).empty());
  EXPECT_EQ(notes_on(100, 106, rules),
            std::vector<std::string>{"ping allocations goes beyond its threshold, ping allocations: at most 5 more "
                                     "(configuration)"});
  EXPECT_TRUE(notes_on(100, 200, {}).empty());
}

}  // namespace
}  // namespace allocgate

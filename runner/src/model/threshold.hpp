// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace allocgate {

/// How much of a change is allowed: a part of the old value and an absolute amount, of which the greater counts; or
/// else, each alone, how much more an iteration may cost, a range of values, or a maximum, in total or per iteration.
/// `thousandths` is the percentage in thousandths of a percent, the others are thousandths of the measure's unit, so
/// that arithmetic stays in integers (1 % = 1000).
struct Threshold {
  struct Range {
    Count lowest = 0;
    Count highest = 0;
    bool operator==(const Range&) const = default;
  };
  std::optional<Range> range;
  std::optional<std::int64_t> thousandths;
  std::optional<Count> absolute;
  std::optional<std::int64_t> per_iteration_thousandths = std::nullopt;
  std::optional<Count> maximum = std::nullopt;
  std::optional<std::int64_t> maximum_per_iteration_thousandths = std::nullopt;

  bool operator==(const Threshold&) const = default;
};

/// Whether it says what is allowed without looking at an old value.
bool needs_no_baseline(const Threshold& threshold);

/// Where a threshold was written. Within one level of precision the earlier one wins.
enum class ThresholdSource { command_line, baseline, configuration, built_in };

/// A threshold and to what it applies: empty workload or measure means every one.
struct ThresholdRule {
  std::string workload;  // a name, or a glob
  std::string measure;
  Threshold threshold;
  ThresholdSource source = ThresholdSource::built_in;
};

/// Thousandths for people: 1500 is "1.5".
std::string thousandths_text(std::int64_t thousandths);

/// A percentage for people: 1500 is "1.5 %".
std::string percent_text(std::int64_t thousandths);

/// The rule in words with its source: "allocations: at most 1 % more (command line)".
std::string describe(const Threshold& threshold);
std::string describe(const ThresholdRule& rule);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/time_remarks.hpp"

#include "base/text.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

constexpr Wide k_percent = 100;
constexpr Wide k_bound_percent = 90;     // of wall time on a processor: then nothing else holds it up
constexpr Wide k_waiting_percent = 50;   // below: it waits for most of its time
constexpr Wide k_several_percent = 110;  // above: several threads run at once
constexpr Wide k_time_percent = 2;       // less is not worth a sentence
constexpr Wide k_spread_percent = 10;
constexpr Wide k_same_parts = 1000;  // counters of processors repeat to a thousandth, callgrind to one

const Series* series_of(const WorkloadResult& workload, const std::string& measure) {
  const auto found = workload.measures.find(measure);
  return found == workload.measures.end() ? nullptr : &found->second;
}

/// `part` of `whole` in percent, rounded; `whole` is above 0.
Wide percent_of(Wide part, Wide whole) {
  return (part * k_percent + whole / 2) / whole;
}

/// Of the fastest runs, because a busy machine makes the others wait for a processor.
std::optional<Wide> processor_percent(const WorkloadResult& workload) {
  const Series* wall = series_of(workload, "wall_time_ns");
  const Series* cpu = series_of(workload, "cpu_time_ns");
  if (wall == nullptr || cpu == nullptr || wall->min <= 0) {
    return std::nullopt;
  }
  return percent_of(cpu->min, wall->min);
}

bool within_a_thousandth(Wide left, Wide right) {
  const Wide difference = left < right ? right - left : left - right;
  return difference * k_same_parts <= std::max(left, right);
}

bool same_instructions(const Series& before, const Series& after) {
  return within_a_thousandth(before.median, after.median);
}

Count high_of(const Series& series) {
  return series.p90.value_or(series.max);
}

bool apart(const Series& lower, const Series& higher) {
  return lower.median < higher.min && high_of(lower) < higher.median;
}

/// "+12 %", where the times of the two differ.
std::optional<std::string> change_of(const Series& before, const Series& after) {
  if (before.median <= 0 || !(apart(before, after) || apart(after, before))) {
    return std::nullopt;
  }
  const Wide change = static_cast<Wide>(after.median) - before.median;
  if ((change < 0 ? -change : change) * k_percent <= k_time_percent * before.median) {
    return std::nullopt;
  }
  return fmt::format("{:+.1f} %", 100.0 * static_cast<double>(change) / static_cast<double>(before.median));
}

}  // namespace

std::optional<std::string> processor_remark(const WorkloadResult& workload) {
  const auto percent = processor_percent(workload);
  if (!percent) {
    return std::nullopt;
  }
  const std::string share =
      fmt::format("{} % of its wall time is CPU time in the fastest runs", static_cast<std::int64_t>(*percent));
  if (*percent > k_several_percent) {
    return "CPU-bound, on several processors: " + share;
  }
  if (*percent >= k_bound_percent) {
    return "CPU-bound: " + share;
  }
  if (*percent >= k_waiting_percent) {
    return "partly CPU-bound: " + share + "; for the rest it waits, or other programs had the processors";
  }
  return "not CPU-bound: " + share + "; what it waits for, or other programs on the machine, decide how long it takes";
}

std::optional<std::string> time_remark(const WorkloadResult& before, const WorkloadResult& after) {
  const Series* instructions_before = series_of(before, "instructions");
  const Series* instructions_after = series_of(after, "instructions");
  const bool has_both = instructions_before != nullptr && instructions_after != nullptr;
  if (!has_both || before.iterations != after.iterations ||
      !same_instructions(*instructions_before, *instructions_after)) {
    return std::nullopt;
  }
  for (const auto& [measure, words] : {std::pair("cpu_time_ns", "CPU time"), std::pair("wall_time_ns", "wall time")}) {
    const Series* time_before = series_of(before, measure);
    const Series* time_after = series_of(after, measure);
    const auto change =
        time_before != nullptr && time_after != nullptr ? change_of(*time_before, *time_after) : std::nullopt;
    if (!change) {
      continue;
    }
    const bool is_cpu_time = std::string_view(measure) == "cpu_time_ns";
    return fmt::format("the instructions are equal ({}) and the {} is not ({}): {}",
                       grouped(instructions_after->median), words, *change,
                       is_cpu_time ? "that is where the code and data lie (alignment, link order, caches), stalls, or "
                                     "the machine, and not more work"
                                   : "it waited longer, for the kernel, for others or for a processor, and did not "
                                     "work more");
  }
  return std::nullopt;
}

std::optional<std::string> spread_remark(const WorkloadResult& workload) {
  const Series* instructions = series_of(workload, "instructions");
  const Series* cpu = series_of(workload, "cpu_time_ns");
  if (instructions == nullptr || cpu == nullptr || cpu->median <= 0 ||
      !within_a_thousandth(instructions->min, instructions->max)) {
    return std::nullopt;
  }
  const Wide spread = percent_of(static_cast<Wide>(high_of(*cpu)) - cpu->min, cpu->median);
  if (spread <= k_spread_percent) {
    return std::nullopt;
  }
  return fmt::format(
      "the instructions are equal in every run and the CPU time spreads over {} % of its middle: the machine, and "
      "where code and data happen to lie, decide that",
      static_cast<std::int64_t>(spread));
}

}  // namespace allocgate

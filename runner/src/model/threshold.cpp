// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/threshold.hpp"

#include "base/text.hpp"
#include "model/names.hpp"

#include <fmt/format.h>

namespace allocgate {

bool needs_no_baseline(const Threshold& threshold) {
  return threshold.range || threshold.maximum || threshold.maximum_per_iteration_thousandths;
}

std::string thousandths_text(std::int64_t thousandths) {
  constexpr std::int64_t k_in_one = 1000;
  std::string fraction = fmt::format("{:03}", thousandths % k_in_one);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return grouped(thousandths / k_in_one) + (fraction.empty() ? "" : "." + fraction);
}

std::string percent_text(std::int64_t thousandths) {
  return thousandths_text(thousandths) + " %";
}

std::string describe(const Threshold& threshold) {
  if (threshold.range) {
    return fmt::format("from {} to {}", grouped(threshold.range->lowest), grouped(threshold.range->highest));
  }
  if (threshold.maximum) {
    return "at most " + grouped(*threshold.maximum);
  }
  if (threshold.maximum_per_iteration_thousandths) {
    return fmt::format("at most {} an iteration", thousandths_text(*threshold.maximum_per_iteration_thousandths));
  }
  if (threshold.per_iteration_thousandths.value_or(0) != 0) {
    return fmt::format("at most {} more an iteration", thousandths_text(*threshold.per_iteration_thousandths));
  }
  if (threshold.per_iteration_thousandths) {
    return "no increase an iteration";
  }
  const std::int64_t thousandths = threshold.thousandths.value_or(0);
  const Count absolute = threshold.absolute.value_or(0);
  if (thousandths == 0 && absolute == 0) {
    return "no increase";
  }
  if (absolute == 0) {
    return "at most " + percent_text(thousandths) + " more";
  }
  return thousandths == 0 ? fmt::format("at most {} more", grouped(absolute))
                          : fmt::format("at most {} or {} more", percent_text(thousandths), grouped(absolute));
}

std::string describe(const ThresholdRule& rule) {
  const std::string_view space = rule.workload.empty() || rule.measure.empty() ? "" : " ";
  const std::string_view colon = rule.workload.empty() && rule.measure.empty() ? "" : ": ";
  return fmt::format("{}{}{}{}{} ({})", rule.workload, space, rule.measure, colon, describe(rule.threshold),
                     name_of(rule.source));
}

}  // namespace allocgate

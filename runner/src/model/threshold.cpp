// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/threshold.hpp"

#include "base/text.hpp"
#include "model/names.hpp"

#include <fmt/format.h>

namespace allocgate {

std::string percent_text(std::int64_t thousandths) {
  constexpr std::int64_t k_per_percent = 1000;
  std::string fraction = fmt::format("{:03}", thousandths % k_per_percent);
  fraction.erase(fraction.find_last_not_of('0') + 1);
  return grouped(thousandths / k_per_percent) + (fraction.empty() ? "" : "." + fraction) + " %";
}

std::string describe(const Threshold& threshold) {
  if (threshold.range) {
    return fmt::format("from {} to {}", grouped(threshold.range->lowest), grouped(threshold.range->highest));
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

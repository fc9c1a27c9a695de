// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/threshold_option.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace allocgate {

namespace {

constexpr std::int64_t k_thousandths_of_a_percent = 1000;
constexpr std::size_t k_decimals = 3;

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw Error(ExitCode::usage,
              fmt::format("'{}' is not a threshold: {}; a VALUE is 1% (of the old value), 5 (that much "
                          "more) or 10..20 (the values that are allowed)",
                          text, why));
}

Count parse_count(std::string_view digits, std::string_view whole) {
  Count value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    refuse(whole, fmt::format("'{}' is too large", digits));
  }
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    refuse(whole, fmt::format("'{}' is not a whole number", digits));
  }
  return value;
}

/// "1.25" in thousandths of a percent, without going through a floating-point number.
std::int64_t parse_percent(std::string_view digits, std::string_view whole) {
  const std::size_t point = digits.find('.');
  std::string decimals(point == std::string_view::npos ? std::string_view() : digits.substr(point + 1));
  if (decimals.size() > k_decimals || (point != std::string_view::npos && decimals.empty())) {
    refuse(whole, "a percentage has one to three decimals");
  }
  decimals.append(k_decimals - decimals.size(), '0');
  const Count percent = parse_count(digits.substr(0, point), whole);
  const Count rest = parse_count(decimals, whole);
  std::int64_t thousandths = 0;
  if (percent < 0 || rest < 0 || __builtin_mul_overflow(percent, k_thousandths_of_a_percent, &thousandths) ||
      __builtin_add_overflow(thousandths, rest, &thousandths)) {
    refuse(whole, "the percentage is negative or too large");
  }
  return thousandths;
}

}  // namespace

Threshold parse_threshold(std::string_view text) {
  Threshold threshold;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    threshold.range =
        Threshold::Range{parse_count(text.substr(0, dots), text), parse_count(text.substr(dots + 2), text)};
    if (threshold.range->lowest > threshold.range->highest) {
      refuse(text, "the range ends below its beginning");
    }
  } else if (!text.empty() && text.back() == '%') {
    threshold.thousandths = parse_percent(text.substr(0, text.size() - 1), text);
  } else {
    threshold.absolute = parse_count(text, text);
    if (*threshold.absolute < 0) {
      refuse(text, "an allowed increase is not negative");
    }
  }
  return threshold;
}

ThresholdRule parse_threshold_rule(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ExitCode::usage, fmt::format("'{}' is not a rule: it needs the form [WORKLOAD:]MEASURE=VALUE", text));
  }
  const std::string_view target = text.substr(0, equals);
  ThresholdRule rule;
  rule.source = ThresholdSource::command_line;
  rule.threshold = parse_threshold(text.substr(equals + 1));
  const std::size_t colon = target.rfind(':');
  if (colon != std::string_view::npos) {
    rule.workload = target.substr(0, colon);
  }
  rule.measure = colon == std::string_view::npos ? target : target.substr(colon + 1);
  if (rule.measure == "*") {
    rule.measure.clear();
  }
  return rule;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/threshold_option.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <charconv>

namespace allocgate {

namespace {

constexpr std::int64_t k_thousandths_of_one = 1000;
constexpr std::size_t k_decimals = 3;
constexpr std::string_view k_per_iteration = "/iteration";
constexpr std::string_view k_default_measure = "allocations";

/// What is being read, for messages.
struct Given {
  std::string_view text;
  std::string_view what;
  std::string_view forms;
};

constexpr std::string_view k_threshold_forms =
    "a VALUE is 1% (of the old value), 5 (that much more), 0.5/iteration (that much more each) or 10..20 (the values "
    "that are allowed)";
constexpr std::string_view k_maximum_forms = "N is 5 (in all iterations together) or 0.5/iteration";

[[noreturn]] void refuse(const Given& given, std::string_view why) {
  throw Error(ExitCode::usage, fmt::format("'{}' is not a {}: {}; {}", given.text, given.what, why, given.forms));
}

Count parse_count(std::string_view digits, const Given& given) {
  Count value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) {
    refuse(given, fmt::format("'{}' is too large", digits));
  }
  if (error != std::errc() || end != digits.data() + digits.size() || digits.empty()) {
    refuse(given, fmt::format("'{}' is not a whole number", digits));
  }
  return value;
}

/// "1.25" in thousandths, without going through a floating-point number.
std::int64_t parse_thousandths(std::string_view digits, const Given& given) {
  const std::size_t point = digits.find('.');
  std::string decimals(point == std::string_view::npos ? std::string_view() : digits.substr(point + 1));
  if (decimals.size() > k_decimals || (point != std::string_view::npos && decimals.empty())) {
    refuse(given, "one to three decimals may follow the point");
  }
  decimals.append(k_decimals - decimals.size(), '0');
  const Count ones = parse_count(digits.substr(0, point), given);
  const Count rest = parse_count(decimals, given);
  std::int64_t thousandths = 0;
  if (ones < 0 || rest < 0 || __builtin_mul_overflow(ones, k_thousandths_of_one, &thousandths) ||
      __builtin_add_overflow(thousandths, rest, &thousandths)) {
    refuse(given, "it is negative or too large");
  }
  return thousandths;
}

}  // namespace

Threshold parse_threshold(std::string_view text) {
  const Given given{text, "threshold", k_threshold_forms};
  Threshold threshold;
  if (const std::size_t dots = text.find(".."); dots != std::string_view::npos) {
    threshold.range =
        Threshold::Range{parse_count(text.substr(0, dots), given), parse_count(text.substr(dots + 2), given)};
    if (threshold.range->lowest > threshold.range->highest) {
      refuse(given, "the range ends below its beginning");
    }
  } else if (!text.empty() && text.back() == '%') {
    threshold.thousandths = parse_thousandths(text.substr(0, text.size() - 1), given);
  } else if (text.ends_with(k_per_iteration)) {
    threshold.per_iteration_thousandths =
        parse_thousandths(text.substr(0, text.size() - k_per_iteration.size()), given);
  } else {
    threshold.absolute = parse_count(text, given);
    if (*threshold.absolute < 0) {
      refuse(given, "an allowed increase is not negative");
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

ThresholdRule parse_maximum_rule(std::string_view text) {
  const std::size_t equals = text.rfind('=');
  if (equals == std::string_view::npos || equals == 0) {
    throw Error(ExitCode::usage, fmt::format("'{}' is not a maximum: it needs the form WORKLOAD[:MEASURE]=N", text));
  }
  const std::string_view target = text.substr(0, equals);
  const std::string_view value = text.substr(equals + 1);
  const Given given{text, "maximum", k_maximum_forms};
  ThresholdRule rule;
  rule.source = ThresholdSource::command_line;
  rule.workload = target;
  rule.measure = k_default_measure;
  const std::size_t colon = target.rfind(':');
  if (colon != std::string_view::npos && colon != 0 && find_measure(target.substr(colon + 1)) != nullptr) {
    rule.workload = target.substr(0, colon);
    rule.measure = target.substr(colon + 1);
  }
  if (value.ends_with(k_per_iteration)) {
    rule.threshold.maximum_per_iteration_thousandths =
        parse_thousandths(value.substr(0, value.size() - k_per_iteration.size()), given);
  } else {
    rule.threshold.maximum = parse_count(value, given);
  }
  return rule;
}

}  // namespace allocgate

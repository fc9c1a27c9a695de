// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/slope.hpp"

#include "base/text.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numeric>

namespace allocgate {

namespace {

constexpr int k_decimals = 3;
constexpr int k_decimal_scale = 1000;

// The parts of a decimal number, so that the whole part can be grouped.
std::string grouped_decimal(double value, bool exact) {
  std::string digits = fmt::format("{:.{}f}", std::abs(value), k_decimals);
  std::string fraction = digits.substr(digits.size() - k_decimals);
  const std::string whole = digits.substr(0, digits.size() - k_decimals - 1);
  if (exact) {
    fraction.erase(fraction.find_last_not_of('0') + 1);
  }
  const std::string sign = value < 0 ? "-" : "";
  return sign + grouped(std::stoll(whole)) + (fraction.empty() ? "" : "." + fraction);
}

}  // namespace

Slope make_slope(Count count, std::uint64_t iterations) {
  const std::uint64_t divisor = std::gcd(magnitude(count), iterations);
  const std::uint64_t reduced = magnitude(count) / divisor;
  return {static_cast<Count>(count < 0 ? 0 - reduced : reduced), iterations / divisor};
}

std::optional<Slope> difference(const Slope& left, const Slope& right) {
  const Wide left_part = static_cast<Wide>(left.count) * static_cast<Wide>(right.iterations);
  const Wide right_part = static_cast<Wide>(right.count) * static_cast<Wide>(left.iterations);
  Wide count = 0;
  if (__builtin_sub_overflow(left_part, right_part, &count)) {
    return std::nullopt;
  }
  const auto size = count < 0 ? 0 - static_cast<UnsignedWide>(count) : static_cast<UnsignedWide>(count);
  const UnsignedWide iterations = static_cast<UnsignedWide>(left.iterations) * right.iterations;
  const UnsignedWide divisor = greatest_common_divisor(size, iterations);
  const UnsignedWide reduced_iterations = iterations / divisor;
  const auto reduced = to_count(count / static_cast<Wide>(divisor));
  if (!reduced || reduced_iterations > std::numeric_limits<std::uint64_t>::max()) {
    return std::nullopt;
  }
  return Slope{*reduced, static_cast<std::uint64_t>(reduced_iterations)};
}

bool operator==(const Slope& left, const Slope& right) {
  const Slope a = make_slope(left.count, left.iterations);
  const Slope b = make_slope(right.count, right.iterations);
  return a.count == b.count && a.iterations == b.iterations;
}

double to_number(const Slope& slope) {
  return static_cast<double>(slope.count) / static_cast<double>(slope.iterations);
}

std::string decimal_text(const Slope& slope) {
  const Slope reduced = make_slope(slope.count, slope.iterations);
  if (reduced.iterations == 1) {
    return grouped(reduced.count);
  }
  const double value = to_number(reduced);
  constexpr double k_smallest_shown = 1.0 / k_decimal_scale;
  if (std::abs(value) < k_smallest_shown) {
    return value < 0 ? ">-0.001" : "<0.001";
  }
  return grouped_decimal(value, k_decimal_scale % reduced.iterations == 0);
}

std::string exact_text(const Slope& slope) {
  const Slope reduced = make_slope(slope.count, slope.iterations);
  return k_decimal_scale % reduced.iterations == 0
             ? decimal_text(reduced)
             : fmt::format("{}/{}", grouped(reduced.count), grouped_unsigned(reduced.iterations));
}

std::string per_iteration_text(const Slope& slope) {
  const Slope reduced = make_slope(slope.count, slope.iterations);
  if (reduced.iterations == 1) {
    return grouped(reduced.count) + " per iteration";
  }
  const std::string exact =
      fmt::format("{} per {} iterations", grouped(reduced.count), grouped_unsigned(reduced.iterations));
  return magnitude(reduced.count) > reduced.iterations ? fmt::format("{} ({} each)", exact, decimal_text(reduced))
                                                       : exact;
}

std::string signed_per_iteration_text(const Slope& slope) {
  return (slope.count > 0 ? "+" : "") + per_iteration_text(slope);
}

std::string series_text(const Series& series, std::uint64_t iterations) {
  if (!series.linear.value_or(false) || !series.slope) {
    return fmt::format("{} in {} {}", grouped(series.median), grouped_unsigned(iterations),
                       iterations == 1 ? "iteration" : "iterations");
  }
  const Count setup = series.setup.value_or(0);
  if (setup == 0) {
    return per_iteration_text(*series.slope);
  }
  if (series.slope->count == 0) {
    return grouped(setup) + " once";
  }
  return fmt::format("{} {} {} once", per_iteration_text(*series.slope), setup < 0 ? "-" : "+",
                     grouped_unsigned(magnitude(setup)));
}

std::string modes_text(std::span<const Sample> samples) {
  constexpr std::size_t k_most = 8;
  if (samples.size() < 2) {
    return {};
  }
  std::string text;
  for (const Sample& sample : samples.first(std::min(samples.size(), k_most))) {
    text += fmt::format("{}{} x{}", text.empty() ? "" : ", ", grouped(sample.value), sample.times);
  }
  return samples.size() > k_most ? fmt::format("{} and {} more", text, samples.size() - k_most) : text;
}

}  // namespace allocgate

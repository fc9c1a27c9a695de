// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/rational.hpp"

#include <limits>

namespace allocgate {

namespace {

std::optional<Wide> product(Wide left, Wide right) {
  Wide result = 0;
  return __builtin_mul_overflow(left, right, &result) ? std::nullopt : std::optional(result);
}

}  // namespace

std::optional<Rational> make_rational(Wide numerator, Wide denominator) {
  constexpr Wide k_without_counterpart = std::numeric_limits<Wide>::min();
  if (denominator == 0 || denominator == k_without_counterpart || numerator == k_without_counterpart) {
    return std::nullopt;
  }
  const auto divisor = static_cast<Wide>(greatest_common_divisor(static_cast<UnsignedWide>(magnitude(numerator)),
                                                                 static_cast<UnsignedWide>(magnitude(denominator))));
  const Wide sign = denominator < 0 ? -1 : 1;
  return Rational{sign * (numerator / divisor), sign * (denominator / divisor)};
}

std::optional<Rational> operator-(const Rational& left, const Rational& right) {
  const auto minuend = product(left.numerator, right.denominator);
  const auto subtrahend = product(right.numerator, left.denominator);
  const auto denominator = product(left.denominator, right.denominator);
  Wide numerator = 0;
  if (!minuend || !subtrahend || !denominator || __builtin_sub_overflow(*minuend, *subtrahend, &numerator)) {
    return std::nullopt;
  }
  return make_rational(numerator, *denominator);
}

std::optional<Rational> operator*(const Rational& left, const Rational& right) {
  const auto numerator = product(left.numerator, right.numerator);
  const auto denominator = product(left.denominator, right.denominator);
  return numerator && denominator ? make_rational(*numerator, *denominator) : std::nullopt;
}

std::optional<Rational> operator/(const Rational& left, const Rational& right) {
  const auto numerator = product(left.numerator, right.denominator);
  const auto denominator = product(left.denominator, right.numerator);
  return numerator && denominator ? make_rational(*numerator, *denominator) : std::nullopt;
}

Rational rational_of(const Slope& slope) {
  return *make_rational(slope.count, static_cast<Wide>(slope.iterations));
}

std::optional<Slope> slope_of(const Rational& rational) {
  const auto count = to_count(rational.numerator);
  if (!count || rational.denominator > std::numeric_limits<Count>::max()) {
    return std::nullopt;
  }
  return Slope{*count, static_cast<std::uint64_t>(rational.denominator)};
}

}  // namespace allocgate

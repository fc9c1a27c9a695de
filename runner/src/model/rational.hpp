// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/wide.hpp"

#include <optional>

// Exact fractions for lines through slopes. Pure; an operation whose result does not fit gives nothing, never a rounded
// number.
namespace allocgate {

/// In lowest terms; the denominator is above 0.
struct Rational {
  Wide numerator = 0;
  Wide denominator = 1;

  friend bool operator==(const Rational& left, const Rational& right) {
    return left.numerator == right.numerator && left.denominator == right.denominator;
  }
};

/// `numerator` over `denominator` in lowest terms; nothing for a denominator of 0.
std::optional<Rational> make_rational(Wide numerator, Wide denominator);

std::optional<Rational> operator-(const Rational& left, const Rational& right);
std::optional<Rational> operator*(const Rational& left, const Rational& right);
std::optional<Rational> operator/(const Rational& left, const Rational& right);

Rational rational_of(const Slope& slope);

/// The same ratio in 64 bits, if it is one.
std::optional<Slope> slope_of(const Rational& rational);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace allocgate {

namespace {

std::string group_digits(std::string digits) {
  constexpr std::size_t k_group = 3;
  for (std::size_t position = digits.size(); position > k_group;) {
    position -= k_group;
    digits.insert(position, 1, ' ');
  }
  return digits;
}

// Levenshtein's distance, row by row.
// Letters put in, left out, replaced, or swapped with their neighbour: the slips of a hand.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> before_last(right.size() + 1);
  std::vector<std::size_t> last(right.size() + 1);
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= left.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1);
      row[j] = std::min({replaced, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row.back();
}

// One `[...]` of a glob: whether `character` is in it, and where the pattern goes on.
struct SetMatch {
  bool in_set;
  std::size_t next;
};

// Nothing when the bracket is not closed.
std::optional<SetMatch> match_set(std::string_view pattern, std::size_t open, char character) {
  std::size_t at = open + 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) {
    ++at;
  }
  const std::size_t close = pattern.find(']', at + 1);  // a `]` right at the start is a member
  if (close == std::string_view::npos) {
    return std::nullopt;
  }
  bool found = false;
  while (at < close) {
    if (at + 2 < close && pattern[at + 1] == '-') {
      found = found || (pattern[at] <= character && character <= pattern[at + 2]);
      at += 3;
    } else {
      found = found || pattern[at] == character;
      ++at;
    }
  }
  return SetMatch{found != negated, close + 1};
}

// The position after the one pattern element at `at` if it takes `character`.
std::optional<std::size_t> match_one(std::string_view pattern, std::size_t at, char character) {
  if (at >= pattern.size()) {
    return std::nullopt;
  }
  if (pattern[at] == '[') {
    if (const auto set = match_set(pattern, at, character)) {
      return set->in_set ? std::optional(set->next) : std::nullopt;
    }
  }
  return pattern[at] == '?' || pattern[at] == character ? std::optional(at + 1) : std::nullopt;
}

template <typename Number>
std::optional<Number> whole_number(std::string_view text, int base) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional<Number>(number) : std::nullopt;
}

}  // namespace

std::string grouped_unsigned(std::uint64_t value) {
  return group_digits(std::to_string(value));
}

std::string grouped(std::int64_t value) {
  // Negated as unsigned, because the smallest integer has no positive counterpart.
  const auto magnitude = value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value);
  return (value < 0 ? "-" : "") + grouped_unsigned(magnitude);
}

std::string grouped_with_sign(std::int64_t value) {
  return (value > 0 ? "+" : "") + grouped(value);
}

std::string duration_text(std::chrono::nanoseconds duration) {
  using namespace std::chrono;
  const double nanoseconds_count = static_cast<double>(duration.count());
  if (duration < 1us) {
    return fmt::format("{} ns", duration.count());
  }
  const auto scaled = [](double value, std::string_view unit) {
    return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, unit);
  };
  if (duration < 1ms) {
    return scaled(nanoseconds_count / 1e3, "us");
  }
  if (duration < 1s) {
    return scaled(nanoseconds_count / 1e6, "ms");
  }
  if (duration < 1min) {
    return scaled(nanoseconds_count / 1e9, "s");
  }
  const auto whole = duration_cast<seconds>(duration);
  if (whole < 1h) {
    return fmt::format("{} min {:02} s", whole / 1min, (whole % 1min).count());
  }
  return fmt::format("{} h {:02} min", whole / 1h, (whole % 1h) / 1min);
}

std::optional<std::string> nearest_name(std::string_view given, std::span<const std::string> candidates) {
  constexpr std::size_t k_part_that_may_differ = 3;
  const std::string* nearest = nullptr;
  std::size_t shortest = 0;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(given, candidate);
    const std::size_t limit = std::max(given.size(), candidate.size()) / k_part_that_may_differ;
    if (distance <= limit && (nearest == nullptr || distance < shortest)) {
      nearest = &candidate;
      shortest = distance;
    }
  }
  return nearest != nullptr ? std::optional(*nearest) : std::nullopt;
}

std::string did_you_mean(std::string_view given, std::span<const std::string> candidates) {
  const auto nearest = nearest_name(given, candidates);
  return nearest ? fmt::format(" (did you mean {}?)", *nearest) : std::string();
}

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  // Where to go on when a match fails: the last `*` takes one character more. Earlier ones never need to.
  std::optional<std::size_t> after_star;
  std::size_t star_text = 0;
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      star_text = in_text;
    } else if (const auto next = match_one(pattern, in_pattern, text[in_text])) {
      in_pattern = *next;
      ++in_text;
    } else if (after_star) {
      in_pattern = *after_star;
      in_text = ++star_text;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

bool is_glob(std::string_view pattern) {
  return pattern.find_first_of("*?[") != std::string_view::npos;
}

std::string shell_quoted(std::string_view argument) {
  constexpr std::string_view k_plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!argument.empty() && argument.find_first_not_of(k_plain) == std::string_view::npos) {
    return std::string(argument);
  }
  std::string quoted = "'";
  for (const char character : argument) {
    quoted += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return quoted + "'";
}

std::string shell_quoted(std::span<const std::string> arguments) {
  std::string line;
  for (const std::string& argument : arguments) {
    line += (line.empty() ? "" : " ") + shell_quoted(argument);
  }
  return line;
}

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blanks = " \t\r";
  const std::size_t first = text.find_first_not_of(k_blanks);
  return first == std::string_view::npos ? std::string_view()
                                         : text.substr(first, text.find_last_not_of(k_blanks) - first + 1);
}

std::optional<std::int64_t> decimal_number(std::string_view text) {
  return whole_number<std::int64_t>(text, 10);
}

std::optional<std::uint64_t> hexadecimal_number(std::string_view text) {
  return whole_number<std::uint64_t>(text, 16);
}

}  // namespace allocgate

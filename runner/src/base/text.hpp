// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Small pieces of text that every message needs. Pure functions; any thread.
namespace allocgate {

/// An integer in groups of three: 20021 is "20 021", -1234 is "-1 234", 999 is "999".
std::string grouped(std::int64_t value);
std::string grouped_unsigned(std::uint64_t value);

/// The same with its sign always shown: "+12", "-1 234", "0".
std::string grouped_with_sign(std::int64_t value);

/// A time for people in two or three digits: "850 ns", "12.5 ms", "3.20 s", "2 min 05 s".
std::string duration_text(std::chrono::nanoseconds duration);

/// The candidate that `given` most likely meant: the one at the smallest edit distance, the first of several; nothing
/// when all are further away than a third of the longer name.
std::optional<std::string> nearest_name(std::string_view given, std::span<const std::string> candidates);

/// " (did you mean NAME?)" for the end of a message, or nothing.
std::string did_you_mean(std::string_view given, std::span<const std::string> candidates);

/// Whether the whole of `text` matches `pattern`, in which `*` stands for any characters (also `/`), `?` for one and
/// `[abc]`, `[a-z]`, `[!abc]` for one of a set. An unclosed `[` stands for itself.
bool glob_matches(std::string_view pattern, std::string_view text);

/// Whether `pattern` holds any character that glob_matches gives a meaning.
bool is_glob(std::string_view pattern);

/// `argument` so that a POSIX shell reads it as one word; unchanged when it needs no quotes.
std::string shell_quoted(std::string_view argument);

/// A whole command line of such words.
std::string shell_quoted(std::span<const std::string> arguments);

/// The parts joined: joined({"a", "b"}, ", ") is "a, b".
std::string joined(std::span<const std::string> parts, std::string_view separator);

/// `text` without spaces, tabs and carriage returns at its ends.
std::string_view trimmed(std::string_view text);

/// The number that is the whole of `text`; nothing for anything else, also when it does not fit.
std::optional<std::int64_t> decimal_number(std::string_view text);
std::optional<std::uint64_t> hexadecimal_number(std::string_view text);

}  // namespace allocgate

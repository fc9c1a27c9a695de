// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

// How wide text is on a terminal. Pure functions; any thread.
namespace allocgate {

/// The columns that `utf8` takes: wide characters two, combining and control ones none. A byte that is not UTF-8 takes
/// one, so that damaged text still has a width.
std::size_t display_width(std::string_view utf8);

/// `utf8` in at most `width` columns: its middle is replaced by "…", because names differ at both ends. Characters
/// stay whole.
std::string shortened_in_the_middle(std::string_view utf8, std::size_t width);

/// `utf8` without what would move the cursor or change the terminal: control characters become "?".
std::string on_one_line(std::string_view utf8);

/// `text` broken at spaces into lines of at most `width` columns, each after `indent` spaces; the first line's own
/// indent is `first_indent`. Ends with a newline. Empty lines separate paragraphs.
std::string wrapped(std::string_view text, std::size_t indent, std::size_t width, std::size_t first_indent);

}  // namespace allocgate

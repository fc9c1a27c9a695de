// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>

// The pieces that an HTML page is put together from. Pure functions; any thread.
namespace allocgate {

/// `text` for HTML, between tags and in quoted attributes: the five characters that mean something there are escaped,
/// and so is every control character, as U+FFFD or, of line ends and tabs, by its number. Bytes that are not UTF-8
/// become U+FFFD.
std::string html_escaped(std::string_view text);

/// RFC 4648, with padding.
std::string base64(std::string_view bytes);

/// The source expression by which a security policy allows one inline style or script (CSP Level 3, 2.3.1):
/// "'sha256-…'" of a digest in hexadecimal digits.
std::string policy_hash(std::string_view hexadecimal_digest);

/// What takes the place of "{{name}}" in a template.
using Filling = std::pair<std::string_view, std::string_view>;

/// `text` with every "{{name}}" replaced once: what is filled in is not looked at again. Each name must have a filling.
std::string filled(std::string_view text, std::span<const Filling> fillings);

}  // namespace allocgate

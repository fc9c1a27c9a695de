// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "page/page_parts.hpp"

#include "base/text.hpp"
#include "json/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cstdint>

namespace allocgate {

namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD";

/// The bytes of `text` that are valid UTF-8, the others replaced; by the rules that our JSON has.
std::string valid_utf8(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    const std::string_view character = text.substr(i, length);
    // A character by itself is quoted unchanged exactly if it is valid.
    if (lead < 0x80 || quoted_json(character) == fmt::format("\"{}\"", character)) {
      result += character;
      i += character.size();
    } else {
      result += k_replacement;
      ++i;
    }
  }
  return result;
}

}  // namespace

std::string html_escaped(std::string_view text) {
  std::string result;
  for (const char character : valid_utf8(text)) {
    switch (character) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      case '\t':
      case '\n':
      case '\r':
        result += fmt::format("&#{};", static_cast<int>(character));
        break;
      default: {
        const auto byte = static_cast<unsigned char>(character);
        result += byte < 0x20 || byte == 0x7F ? k_replacement : std::string_view(&character, 1);
      }
    }
  }
  return result;
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view k_digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string result;
  result.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      bits = bits << 8U | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0U);
    }
    for (std::size_t j = 0; j < 4; ++j) {
      result += j <= group.size() ? k_digits[bits >> (18 - 6 * j) & 63U] : '=';
    }
  }
  return result;
}

std::string policy_hash(std::string_view hexadecimal_digest) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hexadecimal_digest.size(); i += 2) {
    bytes += static_cast<char>(hexadecimal_number(hexadecimal_digest.substr(i, 2)).value_or(0));
  }
  return fmt::format("'sha256-{}'", base64(bytes));
}

std::string filled(std::string_view text, std::span<const Filling> fillings) {
  std::string result;
  while (true) {
    const std::size_t start = text.find("{{");
    const std::size_t end = start == std::string_view::npos ? start : text.find("}}", start);
    if (end == std::string_view::npos) {
      return result.append(text);
    }
    result += text.substr(0, start);
    const std::string_view name = text.substr(start + 2, end - start - 2);
    const auto filling =
        std::find_if(fillings.begin(), fillings.end(), [name](const Filling& entry) { return entry.first == name; });
    assert(filling != fillings.end());
    result += filling->second;
    text.remove_prefix(end + 2);
  }
}

}  // namespace allocgate

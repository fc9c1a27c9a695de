// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace allocgate {

/// A JSON value that is being put together for writing, for documents that have no reader here (`list`, `doctor`).
/// Members keep the order in which they were added.
class JsonValue {
public:
  using Member = std::pair<std::string, JsonValue>;
  using Object = std::vector<Member>;
  using Array = std::vector<JsonValue>;

  JsonValue(Object members) : m_value(std::move(members)) {}
  JsonValue(Array elements) : m_value(std::move(elements)) {}
  JsonValue(std::string text) : m_value(std::move(text)) {}
  JsonValue(std::string_view text) : m_value(std::string(text)) {}
  JsonValue(const char* text) : m_value(std::string(text)) {}
  JsonValue(double number) : m_value(number) {}
  JsonValue(bool truth) : m_value(truth) {}
  template <std::signed_integral Integer>
  JsonValue(Integer number) : m_value(static_cast<std::int64_t>(number)) {}
  template <std::unsigned_integral Integer>
  requires(!std::same_as<Integer, bool>) JsonValue(Integer number) : m_value(static_cast<std::uint64_t>(number)) {}

  static JsonValue object() { return JsonValue(Object{}); }
  static JsonValue array() { return JsonValue(Array{}); }
  static JsonValue array_of(const std::vector<std::string>& texts);

  /// Adds a member to an object; the name must be new. Returns this, so that calls chain.
  JsonValue& add(std::string name, JsonValue value);
  /// Adds an element to an array.
  JsonValue& push(JsonValue element);

  using Value = std::variant<bool, std::int64_t, std::uint64_t, double, std::string, Array, Object>;
  [[nodiscard]] const Value& value() const { return m_value; }

private:
  Value m_value;
};

/// `text` as a JSON string, with its quotes. Bytes that are not UTF-8 become U+FFFD.
std::string quoted_json(std::string_view text);

/// The text of `value`: two spaces a level, one number a line, arrays of plain texts on one line, a newline at the end.
/// Bytes that are not UTF-8 become U+FFFD. Numbers must be finite.
std::string to_json_text(const JsonValue& value);

}  // namespace allocgate

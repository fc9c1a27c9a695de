// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "json/located.hpp"
#include "model/names.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace allocgate {

/// A place in a document, read strictly: every function gives a value of the type it names or throws Error (65) with
/// the place and the reason. Cheap to copy; valid while its document is.
class JsonCursor {
public:
  explicit JsonCursor(const LocatedDocument& document) : JsonCursor(document, document.root(), "") {}

  [[noreturn]] void refuse(std::string_view reason) const;

  /// The member `name` of an object: it must be there, or may be absent.
  [[nodiscard]] JsonCursor at(std::string_view name) const;
  [[nodiscard]] std::optional<JsonCursor> find(std::string_view name) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string name() const;  // a text that is not empty
  [[nodiscard]] bool truth() const;
  [[nodiscard]] std::int64_t integer() const;
  [[nodiscard]] std::uint64_t natural() const;   // 0 or more
  [[nodiscard]] std::uint64_t positive() const;  // 1 or more
  [[nodiscard]] double number() const;           // an integer too
  [[nodiscard]] std::vector<std::string> texts() const;
  [[nodiscard]] std::vector<JsonCursor> elements() const;
  [[nodiscard]] std::vector<std::pair<std::string, JsonCursor>> members() const;

  /// The enum's value of that name.
  template <typename Enum>
  [[nodiscard]] Enum named() const {
    const std::string given = text();
    if (const auto value = value_named<Enum>(given)) {
      return *value;
    }
    refuse_name(given, names_of<Enum>());
  }

  [[nodiscard]] bool is_number() const;
  [[nodiscard]] bool is_text() const;
  [[nodiscard]] std::size_t line() const { return m_document->line_of(m_value->offset); }

  /// Refuses members of other names: what is misspelt must not be passed over in a file that people edit.
  void allow_only(std::initializer_list<std::string_view> names) const;
  void allow_only(const std::vector<std::string_view>& names) const;

  /// Refuses a document whose "schema" is not `schema`, saying what it is instead.
  void require_schema(std::string_view schema) const;

private:
  JsonCursor(const LocatedDocument& document, const LocatedValue& value, std::string pointer)
      : m_document(&document), m_value(&value), m_pointer(std::move(pointer)) {}

  void require(LocatedValue::Kind kind, std::string_view wanted) const;
  [[noreturn]] void refuse_name(std::string_view given, std::string_view names) const;

  const LocatedDocument* m_document;
  const LocatedValue* m_value;
  std::string m_pointer;
};

}  // namespace allocgate

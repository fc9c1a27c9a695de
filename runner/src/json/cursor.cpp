// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/cursor.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

std::string_view kind_in_words(LocatedValue::Kind kind) {
  switch (kind) {
    case LocatedValue::Kind::null:
      return "null";
    case LocatedValue::Kind::truth:
      return "true or false";
    case LocatedValue::Kind::integer:
    case LocatedValue::Kind::huge_integer:
      return "an integer";
    case LocatedValue::Kind::number:
      return "a number with a fraction or an exponent";
    case LocatedValue::Kind::text:
      return "a text";
    case LocatedValue::Kind::array:
      return "a list";
    case LocatedValue::Kind::object:
      return "an object";
  }
  return "something else";
}

// "allocgate.result" and "1" of "allocgate.result/1".
std::pair<std::string_view, std::string_view> split_schema(std::string_view schema) {
  const std::size_t slash = schema.rfind('/');
  return slash == std::string_view::npos ? std::pair(schema, std::string_view())
                                         : std::pair(schema.substr(0, slash), schema.substr(slash + 1));
}

}  // namespace

void JsonCursor::refuse(std::string_view reason) const {
  m_document->refuse(m_value->offset, m_pointer, reason);
}

void JsonCursor::refuse_name(std::string_view given, std::string_view names) const {
  refuse(fmt::format("\"{}\" is none of: {}", given, names));
}

void JsonCursor::require(LocatedValue::Kind kind, std::string_view wanted) const {
  if (m_value->kind != kind) {
    refuse(fmt::format("{} is wanted here, and this is {}", wanted, kind_in_words(m_value->kind)));
  }
}

std::optional<JsonCursor> JsonCursor::find(std::string_view name) const {
  require(LocatedValue::Kind::object, "an object");
  for (const auto& [member, value] : m_value->members) {
    if (member == name) {
      return JsonCursor(*m_document, value, m_pointer + pointer_step(name));
    }
  }
  return std::nullopt;
}

JsonCursor JsonCursor::at(std::string_view name) const {
  auto found = find(name);
  if (!found) {
    refuse(fmt::format("\"{}\" is missing in this object", name));
  }
  return *std::move(found);
}

std::string JsonCursor::text() const {
  require(LocatedValue::Kind::text, "a text");
  return m_value->text;
}

std::string JsonCursor::name() const {
  std::string given = text();
  if (given.empty()) {
    refuse("this must not be empty");
  }
  return given;
}

bool JsonCursor::truth() const {
  require(LocatedValue::Kind::truth, "true or false");
  return m_value->truth;
}

std::int64_t JsonCursor::integer() const {
  if (m_value->kind == LocatedValue::Kind::huge_integer) {
    refuse(fmt::format("{} does not fit into 64 bits with a sign", m_value->text));
  }
  require(LocatedValue::Kind::integer, "an integer");
  return m_value->integer;
}

std::uint64_t JsonCursor::natural() const {
  const std::int64_t value = integer();
  if (value < 0) {
    refuse(fmt::format("{} is negative, which this cannot be", value));
  }
  return static_cast<std::uint64_t>(value);
}

std::uint64_t JsonCursor::positive() const {
  const std::uint64_t value = natural();
  if (value == 0) {
    refuse("this must be at least 1");
  }
  return value;
}

double JsonCursor::number() const {
  if (m_value->kind == LocatedValue::Kind::number) {
    return m_value->number;
  }
  if (m_value->kind != LocatedValue::Kind::integer && m_value->kind != LocatedValue::Kind::huge_integer) {
    require(LocatedValue::Kind::number, "a number");
  }
  return m_value->kind == LocatedValue::Kind::integer ? static_cast<double>(m_value->integer) : m_value->number;
}

bool JsonCursor::is_number() const {
  return m_value->kind == LocatedValue::Kind::number || m_value->kind == LocatedValue::Kind::integer ||
         m_value->kind == LocatedValue::Kind::huge_integer;
}

bool JsonCursor::is_text() const {
  return m_value->kind == LocatedValue::Kind::text;
}

std::vector<std::string> JsonCursor::texts() const {
  std::vector<std::string> all;
  for (const JsonCursor& element : elements()) {
    all.push_back(element.text());
  }
  return all;
}

std::vector<JsonCursor> JsonCursor::elements() const {
  require(LocatedValue::Kind::array, "a list");
  std::vector<JsonCursor> all;
  for (const LocatedValue& element : m_value->elements) {
    all.push_back(JsonCursor(*m_document, element, fmt::format("{}/{}", m_pointer, all.size())));
  }
  return all;
}

std::vector<std::pair<std::string, JsonCursor>> JsonCursor::members() const {
  require(LocatedValue::Kind::object, "an object");
  std::vector<std::pair<std::string, JsonCursor>> all;
  for (const auto& [name, value] : m_value->members) {
    all.emplace_back(name, JsonCursor(*m_document, value, m_pointer + pointer_step(name)));
  }
  return all;
}

void JsonCursor::allow_only(std::initializer_list<std::string_view> names) const {
  allow_only(std::vector<std::string_view>(names));
}

void JsonCursor::allow_only(const std::vector<std::string_view>& names) const {
  for (const auto& [name, member] : members()) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      const std::vector<std::string> known(names.begin(), names.end());
      member.refuse(fmt::format("\"{}\" is not a field of this object{}", name, did_you_mean(name, known)));
    }
  }
}

void JsonCursor::require_schema(std::string_view schema) const {
  const auto found = find("schema");
  if (!found) {
    refuse(fmt::format("this is not a document of {}: it has no \"schema\"", schema));
  }
  const std::string given = found->text();
  if (given == schema) {
    return;
  }
  const auto [wanted_name, wanted_version] = split_schema(schema);
  const auto [given_name, given_version] = split_schema(given);
  found->refuse(
      given_name == wanted_name
          ? fmt::format("this is version \"{}\" of {}, and this allocgate reads version {}; use the allocgate "
                        "that wrote it",
                        given_version, wanted_name, wanted_version)
          : fmt::format("this is \"{}\", and {} is wanted", given, schema));
}

}  // namespace allocgate

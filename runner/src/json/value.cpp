// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/value.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <type_traits>

namespace allocgate {

namespace {

constexpr std::size_t k_spaces_a_level = 2;

bool is_text(const JsonValue& value) {
  return std::holds_alternative<std::string>(value.value());
}

// Writes one value; `level` is that of the line it begins on.
class Writer {
public:
  std::string text(const JsonValue& value) {
    write(value, 0);
    m_text += '\n';
    return std::move(m_text);
  }

private:
  void write(const JsonValue& value, std::size_t level) {
    std::visit(
        [this, level](const auto& held) {
          using Held = std::remove_cvref_t<decltype(held)>;
          if constexpr (std::is_same_v<Held, JsonValue::Object>) {
            write_object(held, level);
          } else if constexpr (std::is_same_v<Held, JsonValue::Array>) {
            write_array(held, level);
          } else if constexpr (std::is_same_v<Held, std::string>) {
            m_text += quoted_json(held);
          } else {
            m_text += nlohmann::json(held).dump();
          }
        },
        value.value());
  }

  void write_object(const JsonValue::Object& members, std::size_t level) {
    if (members.empty()) {
      m_text += "{}";
      return;
    }
    char separator = '{';
    for (const auto& [name, value] : members) {
      begin_line(separator, level + 1);
      m_text += quoted_json(name) + ": ";
      write(value, level + 1);
      separator = ',';
    }
    end_block('}', level);
  }

  void write_array(const JsonValue::Array& elements, std::size_t level) {
    if (std::all_of(elements.begin(), elements.end(), is_text)) {
      write_texts(elements);
      return;
    }
    char separator = '[';
    for (const JsonValue& element : elements) {
      begin_line(separator, level + 1);
      write(element, level + 1);
      separator = ',';
    }
    end_block(']', level);
  }

  void write_texts(const JsonValue::Array& texts) {
    m_text += '[';
    for (const JsonValue& text : texts) {
      m_text += (&text == &texts.front() ? "" : ", ") + quoted_json(std::get<std::string>(text.value()));
    }
    m_text += ']';
  }

  void begin_line(char separator, std::size_t level) {
    m_text += separator;
    m_text += '\n';
    m_text.append(level * k_spaces_a_level, ' ');
  }

  void end_block(char closing, std::size_t level) {
    m_text += '\n';
    m_text.append(level * k_spaces_a_level, ' ');
    m_text += closing;
  }

  std::string m_text;
};

}  // namespace

JsonValue JsonValue::array_of(const std::vector<std::string>& texts) {
  return JsonValue(Array(texts.begin(), texts.end()));
}

JsonValue& JsonValue::add(std::string name, JsonValue value) {
  auto& members = std::get<Object>(m_value);
  assert(std::none_of(members.begin(), members.end(), [&name](const Member& member) { return member.first == name; }));
  members.emplace_back(std::move(name), std::move(value));
  return *this;
}

JsonValue& JsonValue::push(JsonValue element) {
  std::get<Array>(m_value).push_back(std::move(element));
  return *this;
}

std::string quoted_json(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string to_json_text(const JsonValue& value) {
  return Writer().text(value);
}

}  // namespace allocgate

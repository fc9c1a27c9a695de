// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/located.hpp"

#include "base/error.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace allocgate {

namespace {

constexpr std::size_t k_deepest = 64;
constexpr std::string_view k_space = " \t\r\n";
constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(k_space, at), text.size());
}

// Where the token ends that begins at `start`, for tokens that the parser has already accepted.
std::size_t token_end(std::string_view text, std::size_t start) {
  if (text[start] == '"') {
    std::size_t at = start + 1;
    while (text[at] != '"') {
      at += text[at] == '\\' ? 2 : 1;
    }
    return at + 1;
  }
  if (std::string_view("{}[]").find(text[start]) != std::string_view::npos) {
    return start + 1;
  }
  return std::min(text.find_first_of(" \t\r\n,:]}", start), text.size());
}

// "[json.exception...] parse error at line 1, column 2: syntax error while parsing value - REASON; last read: ...".
std::string reason_in(std::string_view message) {
  const std::size_t reason = message.find(" - ");
  if (reason != std::string_view::npos) {
    message.remove_prefix(reason + 3);
  }
  return std::string(message.substr(0, message.find("; last read")));
}

bool begins_not_finite(std::string_view token) {
  std::string lower(token.substr(0, token.find_first_of(" \t\r\n,:]}")));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower == "nan" || lower == "-nan" || lower == "inf" || lower == "-inf" || lower == "infinity" ||
         lower == "-infinity";
}

// Takes the parser's events and builds the tree. The parser does not say where a value was, so this follows the text.
class TreeBuilder {
public:
  TreeBuilder(const LocatedDocument& document, std::string_view text, LocatedValue& root)
      : m_document(document), m_text(text), m_next(text.starts_with(k_byte_order_mark) ? k_byte_order_mark.size() : 0) {
    m_open.push_back(&root);
  }

  bool null() {
    return add(LocatedValue::Kind::null, [](LocatedValue&) {});
  }
  bool boolean(bool truth) {
    return add(LocatedValue::Kind::truth, [truth](LocatedValue& value) { value.truth = truth; });
  }
  bool number_integer(std::int64_t number) {
    return add(LocatedValue::Kind::integer, [number](LocatedValue& value) { value.integer = number; });
  }
  bool number_unsigned(std::uint64_t number) {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
      return number_integer(static_cast<std::int64_t>(number));
    }
    return add(LocatedValue::Kind::huge_integer, [number](LocatedValue& value) {
      value.number = static_cast<double>(number);
      value.text = std::to_string(number);
    });
  }
  // Also integers that no 64 bits hold come here.
  bool number_float(double number, const std::string& digits) {
    const bool whole = digits.find_first_of(".eE") == std::string::npos;
    return add(whole ? LocatedValue::Kind::huge_integer : LocatedValue::Kind::number, [&](LocatedValue& value) {
      value.number = number;
      value.text = digits;
    });
  }
  bool string(std::string& text) {
    return add(LocatedValue::Kind::text, [&text](LocatedValue& value) { value.text = std::move(text); });
  }
  bool binary(nlohmann::json::binary_t&) { return false; }  // never in text

  bool start_object(std::size_t) { return open(LocatedValue::Kind::object); }
  bool start_array(std::size_t) { return open(LocatedValue::Kind::array); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(std::string& name) {
    const std::size_t start = take_token();
    auto& members = m_open.back()->members;
    if (std::any_of(members.begin(), members.end(), [&name](const auto& member) { return member.first == name; })) {
      m_document.refuse(start, pointer() + pointer_step(name), "this name is there twice, so one of the two is wrong");
    }
    members.emplace_back(std::move(name), LocatedValue{});
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& error) {
    const std::size_t start = token_start();
    if (m_text.find_first_not_of(k_space) == std::string_view::npos) {
      m_document.refuse(0, "", "the file is empty");
    }
    if (position > m_text.size()) {
      m_document.refuse(m_text.size(), pointer(), "the file ends in the middle of a value, so it was cut");
    }
    const std::string_view token = m_text.substr(start);
    if (begins_not_finite(token)) {
      m_document.refuse(start, pointer(),
                        fmt::format("{} is not a number of JSON; google-benchmark writes it for a counter without a "
                                    "finite value, which must be left out",
                                    token.substr(0, token.find_first_of(" \t\r\n,:]}"))));
    }
    const std::string reason = reason_in(error.what());
    const bool within_text = reason.starts_with("invalid string");
    m_document.refuse(within_text ? position - 1 : start, pointer(), reason);
  }

private:
  [[nodiscard]] std::size_t token_start() const {
    std::size_t start = skip_space(m_text, m_next);
    if (start < m_text.size() && (m_text[start] == ',' || m_text[start] == ':')) {
      start = skip_space(m_text, start + 1);
    }
    return start;
  }

  std::size_t take_token() {
    const std::size_t start = token_start();
    m_next = token_end(m_text, start);
    return start;
  }

  // The value that comes next: the root, the one of the last name, or a new element.
  LocatedValue& place() {
    LocatedValue& parent = *m_open.back();
    if (m_open.size() == 1) {
      return parent;
    }
    if (parent.kind == LocatedValue::Kind::object) {
      return parent.members.back().second;
    }
    return parent.elements.emplace_back();
  }

  template <typename Fill>
  bool add(LocatedValue::Kind kind, const Fill& fill) {
    LocatedValue& value = place();
    value.offset = take_token();
    value.kind = kind;
    fill(value);
    return true;
  }

  bool open(LocatedValue::Kind kind) {
    LocatedValue& value = place();
    value.offset = take_token();
    value.kind = kind;
    if (m_open.size() > k_deepest) {
      m_document.refuse(value.offset, pointer(), fmt::format("nested more than {} levels deep", k_deepest));
    }
    m_open.push_back(&value);
    return true;
  }

  bool close() {
    take_token();
    m_open.pop_back();
    return true;
  }

  // Of the innermost value that is being read.
  [[nodiscard]] std::string pointer() const {
    std::string steps;
    for (std::size_t level = 1; level < m_open.size(); ++level) {
      const LocatedValue& parent = *m_open[level];
      if (parent.kind == LocatedValue::Kind::object && !parent.members.empty()) {
        steps += level + 1 < m_open.size() || awaits_value(parent) ? pointer_step(parent.members.back().first) : "";
      } else if (parent.kind == LocatedValue::Kind::array && level + 1 < m_open.size()) {
        steps += fmt::format("/{}", parent.elements.size() - 1);
      }
    }
    return steps;
  }

  [[nodiscard]] bool awaits_value(const LocatedValue& object) const {
    const LocatedValue& last = object.members.back().second;
    return last.kind == LocatedValue::Kind::null && last.offset == 0;
  }

  const LocatedDocument& m_document;
  std::string_view m_text;
  std::size_t m_next;
  // Pointers stay good: a parent's children only grow while the last of them is not open.
  std::vector<LocatedValue*> m_open;
};

struct LineAndColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

// Columns count characters, as editors do: the bytes that continue a character of UTF-8 do not count.
LineAndColumn line_and_column(std::string_view text, std::size_t offset) {
  constexpr unsigned char k_continuation_mask = 0xC0;
  constexpr unsigned char k_continuation = 0x80;
  LineAndColumn place;
  for (const char character : text.substr(0, offset)) {
    if (character == '\n') {
      ++place.line;
      place.column = 1;
    } else if ((static_cast<unsigned char>(character) & k_continuation_mask) != k_continuation) {
      ++place.column;
    }
  }
  return place;
}

}  // namespace

LocatedDocument::LocatedDocument(std::string_view text, std::filesystem::path named, std::string remedy)
    : m_text(text), m_named(std::move(named)), m_remedy(std::move(remedy)) {
  TreeBuilder builder(*this, text, m_root);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
}

void LocatedDocument::refuse(std::size_t offset, std::string_view pointer, std::string_view reason) const {
  const LineAndColumn place = line_and_column(m_text, offset);
  throw Error(ExitCode::unreadable_input,
              fmt::format("{}: line {}, column {} ({}): {}; {}", m_named.string(), place.line, place.column,
                          pointer.empty() ? "/" : pointer, reason, m_remedy));
}

std::size_t LocatedDocument::line_of(std::size_t offset) const {
  return line_and_column(m_text, offset).line;
}

std::string pointer_step(std::string_view name) {
  std::string step = "/";
  for (const char character : name) {
    step += character == '~' ? "~0" : character == '/' ? "~1" : std::string(1, character);
  }
  return step;
}

}  // namespace allocgate

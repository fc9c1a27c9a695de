// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/known_frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace allocgate {

namespace {

// "t TEXT" for each text, numbered from 1; "a ADDRESS NAME FILE LINE INLINED ..." with four numbers a frame.
constexpr std::string_view k_text_line = "t ";
constexpr std::string_view k_address_line = "a ";
constexpr int k_hexadecimal = 16;

class Numbers {
public:
  explicit Numbers(std::string_view line) : m_rest(line) {}

  [[nodiscard]] bool at_end() const { return m_rest.empty(); }

  template <typename T>
  bool take(T& number, int base = 10) {
    const char* end = m_rest.data() + m_rest.size();
    const auto [stop, error] = std::from_chars(m_rest.data(), end, number, base);
    if (error != std::errc() || (stop != end && *stop != ' ')) {
      return false;
    }
    m_rest.remove_prefix(static_cast<std::size_t>(stop - m_rest.data()) + (stop == end ? 0 : 1));
    return true;
  }

private:
  std::string_view m_rest;
};

bool fits_a_line(std::span<const CodeFrame> frames) {
  return std::all_of(frames.begin(), frames.end(), [](const CodeFrame& frame) {
    return frame.name.find('\n') == std::string_view::npos && frame.file.find('\n') == std::string_view::npos;
  });
}

}  // namespace

std::optional<std::span<const CodeFrame>> KnownFrames::find(std::uint64_t address) const {
  const auto known = m_addresses.find(address);
  if (known == m_addresses.end()) {
    return std::nullopt;
  }
  return std::span(m_frames).subspan(known->second.first, known->second.second);
}

std::span<const CodeFrame> KnownFrames::add(std::uint64_t address, std::span<const CodeFrame> frames) {
  const auto first = static_cast<std::uint32_t>(m_frames.size());
  m_frames.insert(m_frames.end(), frames.begin(), frames.end());
  m_addresses.emplace(address, std::pair(first, static_cast<std::uint32_t>(frames.size())));
  return std::span(m_frames).subspan(first);
}

std::string KnownFrames::to_text() const {
  std::vector<std::uint64_t> addresses;
  for (const auto& [address, place] : m_addresses) {
    addresses.push_back(address);
  }
  std::sort(addresses.begin(), addresses.end());  // the same knowledge gives the same bytes
  std::unordered_map<std::string_view, std::size_t> numbers{{std::string_view(), 0}};
  std::string texts;
  std::string lines;
  const auto number_of = [&](std::string_view text) {
    const auto [known, is_new] = numbers.emplace(text, numbers.size());
    if (is_new) {
      fmt::format_to(std::back_inserter(texts), "{}{}\n", k_text_line, text);
    }
    return known->second;
  };
  for (const std::uint64_t address : addresses) {
    const std::span<const CodeFrame> frames = *find(address);
    if (!fits_a_line(frames)) {
      continue;
    }
    fmt::format_to(std::back_inserter(lines), "{}{:x}", k_address_line, address);
    for (const CodeFrame& frame : frames) {
      fmt::format_to(std::back_inserter(lines), " {} {} {} {:d}", number_of(frame.name), number_of(frame.file),
                     frame.line, frame.inlined);
    }
    lines += '\n';
  }
  return texts + lines;
}

bool KnownFrames::read_text(std::string text) {
  m_text = std::move(text);
  if (read_lines()) {
    return true;
  }
  m_frames.clear();
  m_addresses.clear();
  m_text.clear();
  return false;
}

bool KnownFrames::read_lines() {
  std::vector<std::string_view> texts{{}};
  std::string_view rest = m_text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) {
      return false;
    }
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    const std::string_view kind = line.substr(0, k_text_line.size());
    if (kind == k_text_line) {
      texts.push_back(line.substr(kind.size()));
      continue;
    }
    Numbers numbers(line.substr(kind.size()));
    std::uint64_t address = 0;
    if (kind != k_address_line || !numbers.take(address, k_hexadecimal) || numbers.at_end()) {
      return false;
    }
    std::vector<CodeFrame> frames;
    while (!numbers.at_end()) {
      std::size_t name = 0;
      std::size_t file = 0;
      std::uint32_t line_number = 0;
      int inlined = 0;
      if (!numbers.take(name) || !numbers.take(file) || !numbers.take(line_number) || !numbers.take(inlined) ||
          name >= texts.size() || file >= texts.size()) {
        return false;
      }
      frames.push_back({texts[name], texts[file], line_number, inlined != 0});
    }
    add(address, frames);
  }
  return true;
}

}  // namespace allocgate

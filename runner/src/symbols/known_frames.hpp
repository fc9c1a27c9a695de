// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/code_frame.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace allocgate {

/// What is known of one module's addresses: their frames, innermost first. Also as text, to be kept. One thread.
class KnownFrames {
public:
  KnownFrames() = default;
  // Moves would leave the views of m_text behind.
  KnownFrames(const KnownFrames&) = delete;
  KnownFrames& operator=(const KnownFrames&) = delete;

  /// Nothing where the address is new; else at least one frame, good until the next add().
  [[nodiscard]] std::optional<std::span<const CodeFrame>> find(std::uint64_t address) const;
  /// Adds a new address. The texts of its frames outlive this.
  std::span<const CodeFrame> add(std::uint64_t address, std::span<const CodeFrame> frames);
  [[nodiscard]] std::size_t size() const { return m_addresses.size(); }

  /// Every address with its frames, one a line, texts once. Addresses with a line end in a text are left out.
  [[nodiscard]] std::string to_text() const;
  /// Takes what to_text() gave; false, and nothing is known, when it is anything else. Only into an empty one.
  bool read_text(std::string text);

private:
  bool read_lines();

  std::string m_text;  // what was read, for the views into it
  std::vector<CodeFrame> m_frames;
  std::unordered_map<std::uint64_t, std::pair<std::uint32_t, std::uint32_t>> m_addresses;  // first frame, count
};

}  // namespace allocgate

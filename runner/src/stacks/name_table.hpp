// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/recording.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace allocgate {

/// A function as far as it is the same in two builds: its name and, where both recordings know it, its module unless
/// that is the main executable. Numbers are of one NameTable.
using NameId = std::uint32_t;

/// Which frames of one or two recordings are the same function: the one place where the identity of stacks across files
/// is decided. Immutable once made; any thread. The recordings are only read while it is made.
class NameTable {
public:
  explicit NameTable(std::span<const Recording* const> recordings);

  /// The name of a frame of the recording at `side`.
  [[nodiscard]] NameId name_of(std::size_t side, FrameId frame) const { return m_names_of_frames[side][frame]; }
  /// The name of a key that is no function's ("libc.so.6", "5-8"); made when it is new.
  NameId key(std::string_view text);

  [[nodiscard]] std::size_t size() const { return m_names.size(); }
  /// For people: "run(int)", "[unknown in libc.so.6]".
  [[nodiscard]] const std::string& text(NameId name) const { return m_names[name].text; }
  /// Whether it is code without a name, or stands for callers that are not known.
  [[nodiscard]] bool is_placeholder(NameId name) const { return m_names[name].placeholder; }

  /// For each name its position when all are sorted by text, then by module: names compare by it.
  [[nodiscard]] std::vector<std::uint32_t> ranks() const;

private:
  struct Name {
    std::string text;
    std::string module;
    bool placeholder = false;
  };

  static Name made_name(std::string_view text, std::string_view module);
  NameId intern(Name name);

  std::vector<Name> m_names;
  std::unordered_map<std::string, NameId> m_ids;
  std::vector<std::vector<NameId>> m_names_of_frames;
};

/// The module of the main executable: what the recording says, else where `main` or `_start` lies, else the module
/// that is called as the command is. 0 where nothing says.
TextId main_module_of(const Recording& recording);

/// "/src/run.cpp:12", as far as it is known.
std::string place_of(const Recording& recording, const Frame& frame);

/// The name of a frame for people, as it was recorded: "run(int)", "libc.so.6+0x1234", "[unknown]".
std::string shown_name(const Recording& recording, const Frame& frame);

}  // namespace allocgate

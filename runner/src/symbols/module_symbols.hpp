// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/code_frame.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace allocgate {

/// Where debug data are looked for.
struct DebugSearch {
  std::vector<std::filesystem::path> folders;  // beside the usual ones; of the shape of /usr/lib/debug
  bool network = false;                        // ask the servers of DEBUGINFOD_URLS
};

/// The names of one executable or library: its debug data, in the file or beside it, and its symbol tables. Opened when
/// it is made. One thread.
class ModuleSymbols {
public:
  /// `build_id` in hexadecimal digits: a file that has another one is another file, and names nothing. Never throws:
  /// what cannot be opened names nothing, and problem() says why.
  ModuleSymbols(const std::filesystem::path& file, const std::string& build_id, const DebugSearch& search);
  ModuleSymbols(const ModuleSymbols&) = delete;
  ModuleSymbols& operator=(const ModuleSymbols&) = delete;
  ~ModuleSymbols();

  /// Appends the functions at `address`, as the file's own headers count it, innermost first: at least one, which has
  /// no name where nobody knows it. The texts are good as long as this object.
  void append_frames(std::uint64_t address, std::vector<CodeFrame>& frames);

  /// Why its frames have no names, or not all of them: a sentence without a full stop; empty when nothing is amiss.
  [[nodiscard]] const std::string& problem() const { return m_problem; }
  /// The files that its debug data come from, whole: what is found out of them stays true while they do not change.
  /// Empty where there are none, or where a part of them is missing.
  [[nodiscard]] std::vector<std::filesystem::path> debug_files() const;

private:
  struct Opened;

  void open(const std::filesystem::path& file, const std::string& build_id);
  void open_debug_data(const std::filesystem::path& file);

  std::string m_debug_path;  // libdwfl's list of folders
  bool m_network;
  std::string m_problem;
  std::unique_ptr<Opened> m_opened;  // empty: nothing to ask
};

}  // namespace allocgate

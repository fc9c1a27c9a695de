// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/code_frame.hpp"
#include "symbols/interval_map.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <elfutils/libdw.h>

namespace allocgate {

/// A range of addresses [begin, end).
struct AddressRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

/// The compilation units of one module's DWARF data with an index of their own: libdw's ways to ask for one address
/// read a whole unit each time, and find none in what clang writes. A unit is read when an address in it is first asked
/// for. One thread.
class DebugUnits {
public:
  /// `dwarf` outlives this, and so do the texts of its frames. What lies outside of `code`, the executable parts of the
  /// module, is left over from functions that the linker dropped.
  DebugUnits(Dwarf* dwarf, const std::vector<AddressRange>& code);
  DebugUnits(const DebugUnits&) = delete;
  DebugUnits& operator=(const DebugUnits&) = delete;
  ~DebugUnits();

  /// Appends the functions at `address`, innermost first: those that were inlined there, and the one that they are in.
  /// Where only file and line are known there is one frame without a name. False, and nothing is appended, where no
  /// unit has the address.
  bool append_frames(std::uint64_t address, std::vector<CodeFrame>& frames);

  /// Whether there is any unit.
  [[nodiscard]] bool empty() const { return m_units.empty(); }
  /// The split debug file that a unit names and that was not found; empty where none is missing.
  [[nodiscard]] const std::string& missing_file() const { return m_missing_file; }

private:
  struct Unit;

  void add_unit(const Dwarf_Die& die, const Dwarf_Die& split, bool is_skeleton);

  std::vector<std::unique_ptr<Unit>> m_units;
  IntervalMap m_unit_at;
  std::string m_missing_file;
};

}  // namespace allocgate

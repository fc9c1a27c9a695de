// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/interval_map.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

#include <elfutils/libdwfl.h>

namespace allocgate {

/// The functions of a module's symbol tables: of the file, of its separate debug file, and of the compressed table that
/// some distributions leave in stripped files. A value; its texts belong to the module.
class ElfSymbols {
public:
  ElfSymbols() = default;
  explicit ElfSymbols(Dwfl_Module* module);

  /// The symbol that holds `address`, an address as the file's headers count; empty where none does: the nearest one
  /// before it would be a guess.
  [[nodiscard]] std::string_view find(std::uint64_t address) const;

private:
  std::vector<std::string_view> m_names;
  IntervalMap m_symbol_at;
};

}  // namespace allocgate

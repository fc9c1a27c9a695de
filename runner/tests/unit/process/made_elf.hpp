// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>
#include <vector>

namespace allocgate {

/// An ELF file for tests: real ones of each kind are not on every machine. It says what it is and cannot run.
struct MadeElf {
  struct Symbol {
    std::string name;
    bool defined = false;
  };

  std::string loader{};               // PT_INTERP; empty: static
  std::vector<std::string> needed{};  // DT_NEEDED
  std::vector<Symbol> symbols{};      // of .dynsym, or of .symtab in a static one
  bool stripped = true;               // false: the symbols of a dynamic one are in .symtab alone
  std::string section{};              // the name of one more section
  unsigned machine = 0;               // e_machine; 0: this machine's
  bool wide = true;                   // 64 bits

  [[nodiscard]] std::string bytes() const;
};

}  // namespace allocgate

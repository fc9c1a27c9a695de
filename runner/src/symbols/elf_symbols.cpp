// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/elf_symbols.hpp"

#include <algorithm>
#include <tuple>

namespace allocgate {

namespace {

struct Symbol {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  int rank = 0;  // of several names for the same code the smallest is shown
  std::string_view name;
};

int rank_of(unsigned char info) {
  switch (GELF_ST_BIND(info)) {
    case STB_GLOBAL:
      return 0;
    case STB_WEAK:
      return 1;
    default:
      return 2;
  }
}

std::vector<Symbol> functions_of(Dwfl_Module* module) {
  std::vector<Symbol> symbols;
  GElf_Addr bias = 0;
  if (dwfl_module_getelf(module, &bias) == nullptr) {
    return symbols;
  }
  const int count = dwfl_module_getsymtab(module);
  for (int i = 0; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name = dwfl_module_getsym_info(module, i, &symbol, &address, nullptr, nullptr, nullptr);
    const int type = GELF_ST_TYPE(symbol.st_info);
    if (name == nullptr || *name == '\0' || symbol.st_size == 0 || symbol.st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_GNU_IFUNC)) {
      continue;
    }
    std::string_view text(name);
    text = text.substr(0, text.find('@'));  // the version of a symbol is not part of a function's name
    symbols.push_back({address - bias, address - bias + symbol.st_size, rank_of(symbol.st_info), text});
  }
  return symbols;
}

}  // namespace

ElfSymbols::ElfSymbols(Dwfl_Module* module) {
  std::vector<Symbol> symbols = functions_of(module);
  const auto length = [](const Symbol& symbol) { return symbol.name.size(); };
  std::sort(symbols.begin(), symbols.end(), [&](const Symbol& one, const Symbol& other) {
    return std::tuple(one.begin, one.end, one.rank, length(one), one.name) <
           std::tuple(other.begin, other.end, other.rank, length(other), other.name);
  });
  symbols.erase(std::unique(symbols.begin(), symbols.end(),
                            [](const Symbol& one, const Symbol& other) {
                              return one.begin == other.begin && one.end == other.end;
                            }),
                symbols.end());
  std::vector<IntervalMap::Range> ranges;
  for (const Symbol& symbol : symbols) {
    ranges.push_back({symbol.begin, symbol.end, 0, static_cast<std::uint32_t>(m_names.size())});
    m_names.push_back(symbol.name);
  }
  m_symbol_at = IntervalMap(std::move(ranges));
}

std::string_view ElfSymbols::find(std::uint64_t address) const {
  const std::uint32_t number = m_symbol_at.find(address);
  return number == IntervalMap::k_nothing ? std::string_view() : m_names[number];
}

}  // namespace allocgate

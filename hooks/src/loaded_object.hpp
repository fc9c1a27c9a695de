// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// One loaded object, as its own tables in memory describe it: what it occupies, what it defines, and what its
// references to other objects' functions were resolved to. Reads only; allocates nothing. Valid while the object stays
// loaded, which inside dl_iterate_phdr's callback it does.
#pragma once

#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "symbol_search.hpp"

namespace allocgate::hooks {

class LoadedObject {
public:
  explicit LoadedObject(const dl_phdr_info& object);

  /* Of an object that only the loader's list names; its range stays empty. */
  LoadedObject(uintptr_t base, const ElfW(Dyn) * dynamic) : m_base(base) { read_dynamic(dynamic); }

  const ObjectRange& range() const { return m_range; }

  /* The address of the definition, run through its resolver where it is an indirect function; null when absent. */
  void* find(const char* name) const;

  /* Where the definition lies, its resolver for an indirect function; null when absent. */
  const void* definition(const char* name) const;

  /* Where the loader describes itself for debuggers; null but in the program. */
  const r_debug* debug() const { return m_debug; }

  const char* name_of(const ElfW(Sym) & symbol) const { return m_strings + symbol.st_name; }

  /* Calls visit(symbol, value) for each place that the loader filled with the address of a function or variable. Large
   * programs have a million: the symbol should be looked at only where the value is not as expected. */
  template <typename Visit>
  void for_each_reference(Visit visit) const {
    if (m_symbols != nullptr && m_strings != nullptr) {
      visit_relocations(m_relocations, m_relative_count, m_relocation_bytes, visit);
      visit_relocations(m_calls, 0, m_call_bytes, visit);
    }
  }

private:
#if defined(__x86_64__)
  static constexpr uint32_t k_call_slot = R_X86_64_JUMP_SLOT;
  static constexpr uint32_t k_address_slot = R_X86_64_GLOB_DAT;
  static constexpr uint32_t k_address = R_X86_64_64;
#elif defined(__aarch64__)
  static constexpr uint32_t k_call_slot = R_AARCH64_JUMP_SLOT;
  static constexpr uint32_t k_address_slot = R_AARCH64_GLOB_DAT;
  static constexpr uint32_t k_address = R_AARCH64_ABS64;
#endif

  template <typename Visit>
  void visit_relocations(const ElfW(Rela) * relocations, size_t first, size_t bytes, Visit visit) const {
    for (size_t i = first; relocations != nullptr && i < bytes / sizeof(*relocations); ++i) {
      const auto type = static_cast<uint32_t>(ELF64_R_TYPE(relocations[i].r_info));
      if (type == k_call_slot || type == k_address_slot || type == k_address) {
        visit(m_symbols[ELF64_R_SYM(relocations[i].r_info)],
              *reinterpret_cast<const void* const*>(m_base + relocations[i].r_offset));
      }
    }
  }

  void read_dynamic(const ElfW(Dyn) * dynamic);
  void read_entry(const ElfW(Dyn) & entry);
  bool is_default_version(size_t index) const;
  bool is_definition(size_t index, const char* name) const;
  const ElfW(Sym) * symbol_of(const char* name) const;
  const ElfW(Sym) * find_by_gnu_hash(const char* name) const;
  const ElfW(Sym) * find_by_hash(const char* name) const;

  uintptr_t m_base;
  ObjectRange m_range;
  const r_debug* m_debug = nullptr;
  const ElfW(Sym) * m_symbols = nullptr;
  const char* m_strings = nullptr;
  const uint32_t* m_gnu_hash = nullptr;
  const uint32_t* m_hash = nullptr;
  const uint16_t* m_versions = nullptr;
  const ElfW(Rela) * m_relocations = nullptr;
  size_t m_relocation_bytes = 0;
  size_t m_relative_count = 0; /* at their beginning, of the object's own addresses */
  const ElfW(Rela) * m_calls = nullptr;
  size_t m_call_bytes = 0;
};

/* Whether the dl_iterate_phdr callback was handed this library. */
bool is_this_library(const LoadedObject& object);

}  // namespace allocgate::hooks

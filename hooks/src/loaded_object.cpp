// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "loaded_object.hpp"

// Set by the linker: where this library begins and ends.
extern "C" const char __ehdr_start __attribute__((visibility("hidden")));
extern "C" const char _end __attribute__((visibility("hidden")));

namespace allocgate::hooks {
namespace {

constexpr uint16_t k_hidden_version = 0x8000;

bool equal(const char* left, const char* right) {
  while (*left != '\0' && *left == *right) {
    ++left;
    ++right;
  }
  return *left == *right;
}

uint32_t gnu_hash(const char* name) {
  uint32_t hash = 5381;
  for (; *name != '\0'; ++name) {
    hash = hash * 33 + static_cast<unsigned char>(*name);
  }
  return hash;
}

}  // namespace

LoadedObject::LoadedObject(const dl_phdr_info& object) : m_base(object.dlpi_addr) {
  const ElfW(Dyn)* dynamic = nullptr;
  for (ElfW(Half) i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type == PT_DYNAMIC) {
      dynamic = reinterpret_cast<const ElfW(Dyn)*>(m_base + segment.p_vaddr);
    } else if (segment.p_type == PT_LOAD) {
      const uintptr_t begin = m_base + segment.p_vaddr;
      m_range.begin = m_range.end == 0 || begin < m_range.begin ? begin : m_range.begin;
      m_range.end = begin + segment.p_memsz > m_range.end ? begin + segment.p_memsz : m_range.end;
    }
  }
  read_dynamic(dynamic);
}

void LoadedObject::read_dynamic(const ElfW(Dyn) * dynamic) {
  for (; dynamic != nullptr && dynamic->d_tag != DT_NULL; ++dynamic) {
    read_entry(*dynamic);
  }
}

void LoadedObject::read_entry(const ElfW(Dyn) & entry) {
  // glibc rewrites these to addresses when it loads an object, musl and the kernel's vDSO leave offsets.
  const uintptr_t address = entry.d_un.d_ptr < m_base ? m_base + entry.d_un.d_ptr : entry.d_un.d_ptr;
  switch (entry.d_tag) {
    case DT_SYMTAB:
      m_symbols = reinterpret_cast<const ElfW(Sym)*>(address);
      break;
    case DT_STRTAB:
      m_strings = reinterpret_cast<const char*>(address);
      break;
    case DT_GNU_HASH:
      m_gnu_hash = reinterpret_cast<const uint32_t*>(address);
      break;
    case DT_HASH:
      m_hash = reinterpret_cast<const uint32_t*>(address);
      break;
    case DT_VERSYM:
      m_versions = reinterpret_cast<const uint16_t*>(address);
      break;
    case DT_RELA:
      m_relocations = reinterpret_cast<const ElfW(Rela)*>(address);
      break;
    case DT_RELASZ:
      m_relocation_bytes = entry.d_un.d_val;
      break;
    case DT_RELACOUNT:
      m_relative_count = entry.d_un.d_val;
      break;
    case DT_JMPREL:
      m_calls = reinterpret_cast<const ElfW(Rela)*>(address);
      break;
    case DT_PLTRELSZ:
      m_call_bytes = entry.d_un.d_val;
      break;
    case DT_DEBUG:
      m_debug = reinterpret_cast<const r_debug*>(entry.d_un.d_ptr);
      break;
    default:
      break;
  }
}

void* LoadedObject::find(const char* name) const {
  const ElfW(Sym)* symbol = symbol_of(name);
  if (symbol == nullptr) {
    return nullptr;
  }
  void* address = reinterpret_cast<void*>(m_base + symbol->st_value);
  return (symbol->st_info & 0xf) == STT_GNU_IFUNC ? reinterpret_cast<void* (*)()>(address)() : address;
}

const void* LoadedObject::definition(const char* name) const {
  const ElfW(Sym)* symbol = symbol_of(name);
  return symbol != nullptr ? reinterpret_cast<const void*>(m_base + symbol->st_value) : nullptr;
}

const ElfW(Sym) * LoadedObject::symbol_of(const char* name) const {
  if (m_symbols == nullptr || m_strings == nullptr) {
    return nullptr;
  }
  return m_gnu_hash != nullptr ? find_by_gnu_hash(name) : find_by_hash(name);
}

/* Old versions that are kept for old programs (cfree@GLIBC_2.2.5) do; a default version is preferred. */
bool LoadedObject::is_default_version(size_t index) const {
  return m_versions == nullptr || (m_versions[index] & k_hidden_version) == 0;
}

bool LoadedObject::is_definition(size_t index, const char* name) const {
  const ElfW(Sym)& symbol = m_symbols[index];
  const int type = symbol.st_info & 0xf;
  return symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 &&
         (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_OBJECT) && equal(m_strings + symbol.st_name, name);
}

const ElfW(Sym) * LoadedObject::find_by_gnu_hash(const char* name) const {
  const uint32_t bucket_count = m_gnu_hash[0];
  const uint32_t first_symbol = m_gnu_hash[1];
  const uint32_t bloom_words = m_gnu_hash[2];
  const auto* buckets =
      reinterpret_cast<const uint32_t*>(reinterpret_cast<const ElfW(Addr)*>(m_gnu_hash + 4) + bloom_words);
  const uint32_t* chains = buckets + bucket_count;
  if (bucket_count == 0) {
    return nullptr;
  }
  const uint32_t hash = gnu_hash(name);
  uint32_t index = buckets[hash % bucket_count];
  if (index < first_symbol) {
    return nullptr;
  }
  const ElfW(Sym)* found = nullptr;
  for (;; ++index) {
    const uint32_t chain = chains[index - first_symbol];
    if ((chain | 1) == (hash | 1) && is_definition(index, name)) {
      found = m_symbols + index;
      if (is_default_version(index)) {
        return found;
      }
    }
    if ((chain & 1) != 0) {
      return found;
    }
  }
}

const ElfW(Sym) * LoadedObject::find_by_hash(const char* name) const {
  const ElfW(Sym)* found = nullptr;
  const uint32_t symbol_count = m_hash != nullptr ? m_hash[1] : 0;
  for (uint32_t index = 0; index < symbol_count; ++index) {
    if (is_definition(index, name)) {
      found = m_symbols + index;
      if (is_default_version(index)) {
        return found;
      }
    }
  }
  return found;
}

bool is_in_this_library(const void* address) {
  const auto value = reinterpret_cast<uintptr_t>(address);
  return value >= reinterpret_cast<uintptr_t>(&__ehdr_start) && value < reinterpret_cast<uintptr_t>(&_end);
}

bool is_this_library(const LoadedObject& object) {
  return object.range().contains(&__ehdr_start);
}

}  // namespace allocgate::hooks

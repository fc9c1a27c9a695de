// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/frame_tables.hpp"

#include <elf.h>

#include "stacks/frame_description.hpp"
#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint8_t k_usable_pairs = 0x3b;  // signed 32 bits, relative to the table

/* The description that covers `at`; otherwise one that is not valid. */
FrameDescription search_pairs(const FrameTables& tables, uintptr_t at) {
  const auto base = reinterpret_cast<uintptr_t>(tables.search);
  const auto wanted = static_cast<int64_t>(at - base);
  uint32_t low = 0;
  uint32_t high = tables.pair_count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (tables.pairs[2 * size_t{middle}] <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) {
    return {};
  }
  const uint8_t* next = nullptr;
  const auto description =
      read_frame_description(tables.search + tables.pairs[2 * size_t{low - 1} + 1], tables.limit, next);
  return description.covers(at) ? description : FrameDescription{};
}

FrameDescription search_all(const FrameTables& tables, uintptr_t at) {
  for (const uint8_t* entry = tables.descriptions; entry != nullptr && entry < tables.limit;) {
    const uint8_t* next = nullptr;
    const auto description = read_frame_description(entry, tables.limit, next);
    if (description.covers(at)) {
      return description;
    }
    entry = next;
  }
  return {};
}

FrameDescription find_description(const FrameTables& tables, uintptr_t at) {
  return tables.pairs != nullptr ? search_pairs(tables, at) : search_all(tables, at);
}

class File {
public:
  explicit File(const char* path) : m_descriptor(open_file(path, O_RDONLY | O_CLOEXEC)) {}
  ~File() {
    if (m_descriptor >= 0) {
      close_file(m_descriptor);
    }
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  template <typename T>
  bool read(uint64_t offset, T& value) const {
    return m_descriptor >= 0 && system_call(SYS_pread64, m_descriptor, as_word(&value), sizeof(T),
                                            static_cast<long>(offset)) == static_cast<long>(sizeof(T));
  }

private:
  long m_descriptor;
};

bool is_name_of_descriptions(const File& file, uint64_t offset) {
  constexpr char k_name[] = ".eh_frame";
  char name[sizeof(k_name)];
  if (!file.read(offset, name)) {
    return false;
  }
  for (size_t i = 0; i < sizeof(k_name); ++i) {
    if (name[i] != k_name[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace

FrameTables tables_at(const uint8_t* search, const uint8_t* limit) {
  FrameTables tables;
  ByteReader reader(search, limit);
  const auto version = reader.fixed<uint8_t>();
  const auto frame_encoding = reader.fixed<uint8_t>();
  const auto count_encoding = reader.fixed<uint8_t>();
  const auto pair_encoding = reader.fixed<uint8_t>();
  if (version != 1) {
    return tables;
  }
  const auto base = reinterpret_cast<uintptr_t>(search);
  tables.limit = limit;
  tables.search = search;
  tables.descriptions = reinterpret_cast<const uint8_t*>(reader.encoded(frame_encoding, base));
  if (pair_encoding == k_usable_pairs && count_encoding != k_encoding_omitted) {
    tables.pair_count = static_cast<uint32_t>(reader.encoded(count_encoding, base));
    tables.pairs = reinterpret_cast<const int32_t*>(reader.position());
  }
  return tables;
}

FrameTables tables_of_file(const char* path, uintptr_t base, const uint8_t* limit) {
  FrameTables tables;
  const File file(path);
  Elf64_Ehdr header;
  Elf64_Shdr names;
  if (!file.read(0, header) || header.e_shentsize != sizeof(Elf64_Shdr) ||
      !file.read(header.e_shoff + uint64_t{header.e_shstrndx} * sizeof(names), names)) {
    return tables;
  }
  for (uint64_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    if (!file.read(header.e_shoff + i * sizeof(section), section)) {
      return tables;
    }
    const auto* begin = reinterpret_cast<const uint8_t*>(base + section.sh_addr);
    if ((section.sh_flags & SHF_ALLOC) != 0 && begin + section.sh_size <= limit &&
        is_name_of_descriptions(file, names.sh_offset + section.sh_name)) {
      tables.descriptions = begin;
      tables.limit = begin + section.sh_size;
      return tables;
    }
  }
  return tables;
}

UnwindRule find_rule(const FrameTables& tables, uintptr_t at) {
  if (const FrameDescription description = find_description(tables, at); description.is_valid) {
    return rule_of(description, at);
  }
  const FrameDescription behind = find_description(tables, at + 1);
  const bool is_planted = behind.is_valid && behind.begin == at + 1;
  return {0, k_bp_unchanged, is_planted ? RuleKind::outermost : RuleKind::none, 0};
}

}  // namespace allocgate::hooks

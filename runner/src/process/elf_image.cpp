// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/elf_image.hpp"

#include <algorithm>
#include <cstring>

namespace allocgate {
namespace {

constexpr std::size_t k_most_needed = 1024;

template <typename T>
std::optional<T> read(std::span<const std::byte> bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) {
    return std::nullopt;
  }
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// `count` structures, each `distance` bytes after the one before, as far as the bytes go.
template <typename T>
std::vector<T> read_table(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t count,
                          std::uint64_t distance) {
  std::vector<T> table;
  for (std::uint64_t index = 0; distance >= sizeof(T) && index < count; ++index) {
    const auto entry = read<T>(bytes, offset + index * distance);
    if (!entry) {
      break;
    }
    table.push_back(*entry);
  }
  return table;
}

}  // namespace

ElfImage::ElfImage(std::span<const std::byte> bytes) : m_bytes(bytes) {
  const auto header = read<Elf64_Ehdr>(bytes, 0);
  if (!header) {
    return;
  }
  m_header = *header;
  m_segments = read_table<Elf64_Phdr>(bytes, header->e_phoff, header->e_phnum, header->e_phentsize);
  m_sections = read_table<Elf64_Shdr>(bytes, header->e_shoff, header->e_shnum, header->e_shentsize);
}

std::string_view ElfImage::text(std::uint64_t offset) const {
  if (offset >= m_bytes.size()) {
    return {};
  }
  const auto* begin = reinterpret_cast<const char*>(m_bytes.data() + offset);
  const std::string_view rest(begin, m_bytes.size() - offset);
  const std::size_t end = rest.find('\0');
  return end == std::string_view::npos ? std::string_view{} : rest.substr(0, end);
}

std::optional<std::uint64_t> ElfImage::file_offset(std::uint64_t address) const {
  for (const Elf64_Phdr& segment : m_segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

std::optional<std::string> ElfImage::loader() const {
  for (const Elf64_Phdr& segment : m_segments) {
    if (segment.p_type == PT_INTERP) {
      return std::string(text(segment.p_offset));
    }
  }
  return std::nullopt;
}

std::vector<std::string> ElfImage::needed() const {
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  for (const Elf64_Phdr& segment : m_segments) {
    if (segment.p_type != PT_DYNAMIC) {
      continue;
    }
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz && names.size() < k_most_needed;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = read<Elf64_Dyn>(m_bytes, segment.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) {
        break;
      }
      if (entry->d_tag == DT_NEEDED) {
        names.push_back(entry->d_un.d_val);
      } else if (entry->d_tag == DT_STRTAB) {
        strings = file_offset(entry->d_un.d_ptr);
      }
    }
  }
  std::vector<std::string> needed;
  for (const std::uint64_t name : names) {
    const std::string_view library = strings ? text(*strings + name) : std::string_view{};
    if (!library.empty()) {
      needed.emplace_back(library);
    }
  }
  return needed;
}

bool ElfImage::has_section(std::string_view name) const {
  if (m_header.e_shstrndx >= m_sections.size()) {
    return false;
  }
  const std::uint64_t names = m_sections[m_header.e_shstrndx].sh_offset;
  return std::any_of(m_sections.begin(), m_sections.end(),
                     [&](const Elf64_Shdr& section) { return text(names + section.sh_name) == name; });
}

void ElfImage::for_each_symbol(Table table, const std::function<void(const Symbol&)>& see) const {
  const Elf64_Word wanted = table == Table::dynamic ? SHT_DYNSYM : SHT_SYMTAB;
  for (const Elf64_Shdr& section : m_sections) {
    if (section.sh_type != wanted || section.sh_link >= m_sections.size()) {
      continue;
    }
    const std::uint64_t names = m_sections[section.sh_link].sh_offset;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= section.sh_size; at += sizeof(Elf64_Sym)) {
      const auto symbol = read<Elf64_Sym>(m_bytes, section.sh_offset + at);
      if (!symbol) {
        break;
      }
      see({text(names + symbol->st_name), symbol->st_shndx != SHN_UNDEF});
    }
  }
}

}  // namespace allocgate

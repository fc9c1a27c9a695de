// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "made_elf.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

#include <elf.h>

namespace allocgate {
namespace {

#if defined(__x86_64__)
constexpr unsigned k_own_machine = EM_X86_64;
#else
constexpr unsigned k_own_machine = EM_AARCH64;
#endif

/// Appends structures and strings, each at the offset that it returns.
class Writer {
public:
  template <typename T>
  std::uint64_t add(const T& value) {
    m_bytes.append((8 - m_bytes.size() % 8) % 8, '\0');
    const std::uint64_t at = m_bytes.size();
    m_bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    return at;
  }
  std::uint64_t add_text(const std::string& text) {
    const std::uint64_t at = m_bytes.size();
    m_bytes.append(text.c_str(), text.size() + 1);
    return at;
  }
  template <typename T>
  void put(std::uint64_t at, const T& value) {
    std::memcpy(m_bytes.data() + at, &value, sizeof value);
  }
  std::string& bytes() { return m_bytes; }

private:
  std::string m_bytes;
};

Elf64_Phdr segment_of(Elf64_Word type, std::uint64_t offset, std::uint64_t size) {
  Elf64_Phdr segment{};
  segment.p_type = type;
  segment.p_offset = segment.p_vaddr = offset;
  segment.p_filesz = size;
  return segment;
}

Elf64_Shdr section_of(Elf64_Word name, Elf64_Word type, std::uint64_t offset, std::uint64_t size) {
  Elf64_Shdr section{};
  section.sh_name = name;
  section.sh_type = type;
  section.sh_offset = offset;
  section.sh_size = size;
  section.sh_link = 1;
  return section;
}

}  // namespace

std::string MadeElf::bytes() const {
  // Strings are named by their offset in the file: the string table begins at 0.
  Writer writer;
  writer.add(Elf64_Ehdr{});
  std::vector<Elf64_Phdr> segments;
  if (!loader.empty()) {
    segments.push_back(segment_of(PT_INTERP, writer.add_text(loader), loader.size() + 1));
  }
  std::vector<Elf64_Dyn> dynamic;
  for (const std::string& library : needed) {
    dynamic.push_back({DT_NEEDED, {writer.add_text(library)}});
  }
  dynamic.push_back({DT_STRTAB, {0}});
  dynamic.push_back({DT_NULL, {0}});
  std::vector<Elf64_Sym> table(1);
  for (const Symbol& symbol : symbols) {
    Elf64_Sym entry{};
    entry.st_name = static_cast<Elf64_Word>(writer.add_text(symbol.name));
    entry.st_shndx = symbol.defined ? 1 : SHN_UNDEF;
    table.push_back(entry);
  }
  const auto section_name = static_cast<Elf64_Word>(writer.add_text(section));
  const auto append = [&](const auto& entries) {
    std::uint64_t first = 0;
    for (const auto& entry : entries) {
      const std::uint64_t at = writer.add(entry);
      first = first == 0 ? at : first;
    }
    return first;
  };
  const std::uint64_t dynamic_at = append(dynamic);
  const std::uint64_t symbols_at = append(table);
  const std::uint64_t strings_end = writer.bytes().size();
  segments.push_back(segment_of(PT_DYNAMIC, dynamic_at, dynamic.size() * sizeof(Elf64_Dyn)));
  segments.push_back(segment_of(PT_LOAD, 0, strings_end));
  const std::vector<Elf64_Shdr> sections = {section_of(0, SHT_NULL, 0, 0), section_of(0, SHT_STRTAB, 0, strings_end),
                                            section_of(0, loader.empty() || !stripped ? SHT_SYMTAB : SHT_DYNSYM,
                                                       symbols_at, table.size() * sizeof(Elf64_Sym)),
                                            section_of(section_name, SHT_PROGBITS, 0, 0)};

  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_ident[EI_CLASS] = wide ? ELFCLASS64 : ELFCLASS32;
  header.e_ident[EI_DATA] = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  header.e_ident[EI_VERSION] = EV_CURRENT;
  header.e_type = ET_EXEC;
  header.e_machine = static_cast<Elf64_Half>(machine == 0 ? k_own_machine : machine);
  header.e_version = EV_CURRENT;
  header.e_phoff = append(segments);
  header.e_phnum = static_cast<Elf64_Half>(segments.size());
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_shoff = append(sections);
  header.e_shnum = static_cast<Elf64_Half>(sections.size());
  header.e_shentsize = sizeof(Elf64_Shdr);
  header.e_shstrndx = 1;
  writer.put(0, header);
  return writer.bytes();
}

}  // namespace allocgate

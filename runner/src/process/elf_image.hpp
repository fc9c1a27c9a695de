// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <elf.h>

namespace allocgate {

/// Reads an ELF file of this machine's class and byte order out of bytes that may be anything: what points outside of
/// them is not there. Pure; the bytes stay the caller's.
class ElfImage {
public:
  explicit ElfImage(std::span<const std::byte> bytes);

  [[nodiscard]] const Elf64_Ehdr& header() const { return m_header; }
  /// The program that loads it (PT_INTERP); nothing for a static one.
  [[nodiscard]] std::optional<std::string> loader() const;
  /// The libraries that it names itself (DT_NEEDED).
  [[nodiscard]] std::vector<std::string> needed() const;
  [[nodiscard]] bool has_section(std::string_view name) const;

  enum class Table { dynamic, all };
  struct Symbol {
    std::string_view name;
    bool defined = false;
  };
  /// Calls `see` for each symbol of .dynsym, or of .symtab where the file was not stripped.
  void for_each_symbol(Table table, const std::function<void(const Symbol&)>& see) const;

private:
  [[nodiscard]] std::string_view text(std::uint64_t offset) const;
  [[nodiscard]] std::optional<std::uint64_t> file_offset(std::uint64_t address) const;

  std::span<const std::byte> m_bytes;
  Elf64_Ehdr m_header{};
  std::vector<Elf64_Phdr> m_segments;
  std::vector<Elf64_Shdr> m_sections;
};

}  // namespace allocgate

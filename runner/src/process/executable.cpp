// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/executable.hpp"

#include "process/descriptor.hpp"
#include "process/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

namespace allocgate {
namespace {

constexpr std::size_t k_text_probe_bytes = 80;         // as shells look before they take a file for a script
constexpr std::size_t k_most_interpreter_bytes = 256;  // BINPRM_BUF_SIZE of the kernel
constexpr std::size_t k_most_needed = 1024;
constexpr int k_most_interpreters = 4;  // scripts whose interpreter is a script, as far as the kernel follows them

#if defined(__x86_64__)
constexpr Elf64_Half k_own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr Elf64_Half k_own_machine = EM_AARCH64;
#else
#error "tell allocgate the ELF machine of this processor"
#endif
constexpr unsigned char k_own_byte_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

/// Reads structures out of bytes that may be anything.
class Image {
public:
  explicit Image(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  template <typename T>
  [[nodiscard]] std::optional<T> read(std::uint64_t offset) const {
    if (offset > m_bytes.size() || m_bytes.size() - offset < sizeof(T)) {
      return std::nullopt;
    }
    T value;
    std::memcpy(&value, m_bytes.data() + offset, sizeof value);
    return value;
  }

  /// A string that ends with a byte 0 inside of the file.
  [[nodiscard]] std::optional<std::string> text(std::uint64_t offset) const {
    if (offset >= m_bytes.size()) {
      return std::nullopt;
    }
    const auto rest = m_bytes.subspan(offset);
    const auto end = std::find(rest.begin(), rest.end(), std::byte{0});
    if (end == rest.end()) {
      return std::nullopt;
    }
    return std::string(reinterpret_cast<const char*>(rest.data()), static_cast<std::size_t>(end - rest.begin()));
  }

private:
  std::span<const std::byte> m_bytes;
};

std::vector<Elf64_Phdr> program_headers(const Image& image, const Elf64_Ehdr& header) {
  std::vector<Elf64_Phdr> headers;
  for (std::uint64_t index = 0; index < header.e_phnum; ++index) {
    const auto entry = image.read<Elf64_Phdr>(header.e_phoff + index * header.e_phentsize);
    if (!entry) {
      break;
    }
    headers.push_back(*entry);
  }
  return headers;
}

/// Where the byte that is loaded at `address` lies in the file.
std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr>& headers, std::uint64_t address) {
  for (const Elf64_Phdr& segment : headers) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return std::nullopt;
}

std::vector<std::string> needed_libraries(const Image& image, const std::vector<Elf64_Phdr>& headers) {
  std::vector<std::uint64_t> names;
  std::optional<std::uint64_t> strings;
  for (const Elf64_Phdr& segment : headers) {
    if (segment.p_type != PT_DYNAMIC) {
      continue;
    }
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= segment.p_filesz && names.size() < k_most_needed;
         at += sizeof(Elf64_Dyn)) {
      const auto entry = image.read<Elf64_Dyn>(segment.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) {
        break;
      }
      if (entry->d_tag == DT_NEEDED) {
        names.push_back(entry->d_un.d_val);
      } else if (entry->d_tag == DT_STRTAB) {
        strings = file_offset(headers, entry->d_un.d_ptr);
      }
    }
  }
  std::vector<std::string> needed;
  for (const std::uint64_t name : names) {
    if (auto text = strings ? image.text(*strings + name) : std::nullopt) {
      needed.push_back(std::move(*text));
    }
  }
  return needed;
}

void classify_elf(const Image& image, ExecutableInfo& info) {
  const auto identity = image.read<std::array<unsigned char, EI_NIDENT>>(0);
  const auto header = image.read<Elf64_Ehdr>(0);
  if (!identity || (*identity)[EI_CLASS] != ELFCLASS64 || (*identity)[EI_DATA] != k_own_byte_order) {
    info.kind = ExecutableKind::other_class;
    return;
  }
  if (!header) {
    return;
  }
  if (header->e_machine != k_own_machine) {
    info.kind = ExecutableKind::other_machine;
    return;
  }
  const auto headers = program_headers(image, *header);
  info.kind = ExecutableKind::static_elf;
  for (const Elf64_Phdr& segment : headers) {
    if (segment.p_type == PT_INTERP) {
      info.kind = ExecutableKind::dynamic_elf;
      info.interpreter = image.text(segment.p_offset).value_or("");
    }
  }
  info.needed = needed_libraries(image, headers);
}

/// The word after "#!", as the kernel reads it.
std::string script_interpreter(std::string_view text) {
  text = text.substr(0, std::min(text.find('\n'), k_most_interpreter_bytes));
  text.remove_prefix(2);
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  text.remove_prefix(begin);
  return std::string(text.substr(0, text.find_first_of(" \t\r")));
}

bool is_privileged(const std::filesystem::path& file, const struct stat& status) {
  // The loader is careful only when the ids really change, so a program of our own user is none.
  const bool changes_user = (status.st_mode & S_ISUID) != 0 && status.st_uid != ::getuid();
  const bool changes_group = (status.st_mode & S_ISGID) != 0 && status.st_gid != ::getgid();
  const bool has_capabilities = ::getuid() != 0 && ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
  return changes_user || changes_group || has_capabilities;
}

}  // namespace

ExecutableInfo classify_executable(std::span<const std::byte> bytes) {
  ExecutableInfo info;
  const auto probe = bytes.first(std::min(bytes.size(), k_text_probe_bytes));
  info.looks_like_text = std::find(probe.begin(), probe.end(), std::byte{0}) == probe.end();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(ELFMAG)) {
    info.looks_like_text = false;
    classify_elf(Image(bytes), info);
  } else if (text.starts_with("#!")) {
    info.kind = ExecutableKind::script;
    info.interpreter = script_interpreter(text);
  }
  return info;
}

ExecutableInfo inspect_executable(const std::filesystem::path& file) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!descriptor.is_open() || ::fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size == 0) {
    return {};
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.get(), 0);
  if (mapped == MAP_FAILED) {
    return {};
  }
  ExecutableInfo info = classify_executable({static_cast<const std::byte*>(mapped), size});
  ::munmap(mapped, size);
  info.privileged = is_privileged(file, status);
  return info;
}

std::optional<std::string> reason_for_blindness(const std::filesystem::path& file) {
  std::filesystem::path program = file;
  for (int depth = 0; depth < k_most_interpreters; ++depth) {
    const ExecutableInfo info = inspect_executable(program);
    const std::string name = printable(program.string());
    switch (info.kind) {
      case ExecutableKind::script:
        program = info.interpreter;
        continue;
      case ExecutableKind::static_elf:
        return fmt::format("{} is static: it has no dynamic loader, so the hooks cannot be loaded", name);
      case ExecutableKind::other_class:
        return fmt::format("{} is no 64-bit program of this machine, so the hooks cannot be loaded", name);
      case ExecutableKind::other_machine:
        return fmt::format("{} is for another processor, so the hooks cannot be loaded", name);
      case ExecutableKind::dynamic_elf:
        if (info.privileged) {
          return fmt::format("{} changes its user, group or capabilities, so its loader ignores LD_PRELOAD", name);
        }
        return std::nullopt;
      case ExecutableKind::unknown:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/executable.hpp"

#include "process/descriptor.hpp"
#include "process/elf_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
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

#if defined(__x86_64__)
constexpr Elf64_Half k_own_machine = EM_X86_64;
constexpr std::array<Elf64_Half, 2> k_own_32_bit_machines = {EM_386, EM_X86_64};  // the latter: the x32 ABI
#elif defined(__aarch64__)
constexpr Elf64_Half k_own_machine = EM_AARCH64;
constexpr std::array<Elf64_Half, 1> k_own_32_bit_machines = {EM_ARM};
#else
#error "tell allocgate the ELF machine of this processor"
#endif
constexpr unsigned char k_own_byte_order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

struct MachineName {
  Elf64_Half machine;
  std::string_view name;
};

constexpr std::array k_machine_names = {
    MachineName{EM_386, "x86"},         MachineName{EM_X86_64, "x86-64"}, MachineName{EM_ARM, "Arm"},
    MachineName{EM_AARCH64, "AArch64"}, MachineName{EM_RISCV, "RISC-V"},  MachineName{EM_PPC64, "PowerPC64"},
    MachineName{EM_S390, "S/390"},      MachineName{EM_MIPS, "MIPS"},     MachineName{EM_LOONGARCH, "LoongArch"},
};

std::string machine_name(Elf64_Half machine) {
  const auto known = std::find_if(k_machine_names.begin(), k_machine_names.end(),
                                  [&](const MachineName& entry) { return entry.machine == machine; });
  return known == k_machine_names.end() ? fmt::format("ELF machine {}", machine) : std::string(known->name);
}

/// How a sanitizer is known: GCC's runtime is a library, clang's is in the program and exports its entry.
struct SanitizerMark {
  std::string_view name;
  std::string_view library;
  std::string_view entry;
};

constexpr std::array k_sanitizers = {
    SanitizerMark{"AddressSanitizer", "libasan.so", "__asan_init"},
    SanitizerMark{"AddressSanitizer", "libclang_rt.asan", "__asan_init"},
    SanitizerMark{"ThreadSanitizer", "libtsan.so", "__tsan_init"},
    SanitizerMark{"ThreadSanitizer", "libclang_rt.tsan", "__tsan_init"},
    SanitizerMark{"MemorySanitizer", "libclang_rt.msan", "__msan_init"},
    SanitizerMark{"HWAddressSanitizer", "libhwasan.so", "__hwasan_init"},
    SanitizerMark{"HWAddressSanitizer", "libclang_rt.hwasan", "__hwasan_init"},
    SanitizerMark{"LeakSanitizer", "liblsan.so", "__lsan_init"},
};

struct LibraryMark {
  std::string_view library;
  OtherHeap heap;
};

constexpr std::array k_library_heaps = {
    LibraryMark{"libjvm.so", OtherHeap::jvm}, LibraryMark{"libjli.so", OtherHeap::jvm},
    LibraryMark{"libnode.so", OtherHeap::v8}, LibraryMark{"libv8.so", OtherHeap::v8},
    LibraryMark{"libgo.so", OtherHeap::go},
};

/// Allocators that programs link under names of their own.
struct AllocatorMark {
  std::string_view symbol;
  std::string_view name;
};

constexpr std::array k_allocators = {
    AllocatorMark{"_rjem_malloc", "jemalloc"}, AllocatorMark{"je_malloc", "jemalloc"},
    AllocatorMark{"mallocx", "jemalloc"},      AllocatorMark{"mi_malloc", "mimalloc"},
    AllocatorMark{"tc_malloc", "tcmalloc"},    AllocatorMark{"rpmalloc", "rpmalloc"},
    AllocatorMark{"sn_malloc", "snmalloc"},
};

constexpr std::array<std::string_view, 2> k_operators_new = {"_Znwm", "_ZnwmSt11align_val_t"};
constexpr std::string_view k_cxx_library_symbol = "_ZSt15get_new_handlerv";  // linked in with its operator new
constexpr std::string_view k_loader_symbol = "_dl_debug_state";  // where debuggers wait: glibc's and musl's export it
constexpr std::string_view k_v8_symbols = "_ZN2v8";              // namespace v8, as the compiler writes it
constexpr std::array<std::string_view, 2> k_go_sections = {".go.buildinfo", ".note.go.buildid"};

void read_marks(const ElfImage& image, ExecutableInfo& info) {
  for (const std::string& library : info.needed) {
    for (const SanitizerMark& mark : k_sanitizers) {
      if (library.starts_with(mark.library)) {
        info.sanitizer = mark.name;
      }
    }
    for (const LibraryMark& mark : k_library_heaps) {
      if (library.starts_with(mark.library)) {
        info.other_heap = mark.heap;
      }
    }
  }
  if (std::any_of(k_go_sections.begin(), k_go_sections.end(),
                  [&](std::string_view section) { return image.has_section(section); })) {
    info.other_heap = OtherHeap::go;
  }
}

/// What the symbols of a program say, one after another.
class SymbolMarks {
public:
  void see(const ElfImage::Symbol& symbol) {
    if (symbol.defined) {
      m_malloc |= symbol.name == "malloc";
      m_libc_malloc |= symbol.name == "__libc_malloc";
      m_new |= std::find(k_operators_new.begin(), k_operators_new.end(), symbol.name) != k_operators_new.end();
      m_libstdcxx |= symbol.name == k_cxx_library_symbol;
      m_v8 |= symbol.name.starts_with(k_v8_symbols);
      m_loader |= symbol.name == k_loader_symbol;
    }
    for (const SanitizerMark& mark : k_sanitizers) {
      if (symbol.name == mark.entry) {
        m_sanitizer = mark.name;
      }
    }
    for (const AllocatorMark& mark : k_allocators) {
      if (symbol.name == mark.symbol) {
        m_allocator = mark.name;
      }
    }
  }

  [[nodiscard]] bool is_loader() const { return m_loader; }

  void put(ExecutableInfo& info) const {
    // A static program always has a malloc; the C library's own comes with its other name.
    info.own_malloc = m_malloc && !m_libc_malloc;
    info.own_new = m_new && !m_libstdcxx;
    if (!m_sanitizer.empty()) {
      info.sanitizer = m_sanitizer;
    }
    if (!m_allocator.empty()) {
      info.own_allocator = m_allocator;
    }
    if (m_v8) {
      info.other_heap = OtherHeap::v8;
    }
  }

private:
  bool m_malloc = false;
  bool m_libc_malloc = false;
  bool m_new = false;
  bool m_libstdcxx = false;
  bool m_v8 = false;
  bool m_loader = false;
  std::string_view m_sanitizer;
  std::string_view m_allocator;
};

void read_symbols(const ElfImage& image, ExecutableInfo& info) {
  SymbolMarks marks;
  const auto see = [&](const ElfImage::Symbol& symbol) { marks.see(symbol); };
  image.for_each_symbol(ElfImage::Table::dynamic, see);
  marks.put(info);
  const bool exports_malloc = info.own_malloc;
  if (marks.is_loader()) {
    info.kind = ExecutableKind::dynamic_elf;
    info.own_malloc = false;  // for itself alone, until it has loaded another
    return;
  }
  image.for_each_symbol(ElfImage::Table::all, see);
  marks.put(info);
  if (info.kind != ExecutableKind::static_elf && info.own_malloc && !exports_malloc) {
    info.hidden_malloc = true;
  }
}

void classify_elf(std::span<const std::byte> bytes, ExecutableInfo& info) {
  // A 32-bit header keeps the machine at the same place.
  constexpr std::size_t k_machine_ends_at = offsetof(Elf64_Ehdr, e_machine) + sizeof(Elf64_Half);
  if (bytes.size() < k_machine_ends_at) {
    return;
  }
  Elf64_Half machine = 0;
  std::memcpy(&machine, bytes.data() + offsetof(Elf64_Ehdr, e_machine), sizeof machine);
  if (static_cast<unsigned char>(bytes[EI_DATA]) != k_own_byte_order) {
    info.kind = ExecutableKind::other_machine;
    info.machine = "of the other byte order";
    return;
  }
  const bool wide = static_cast<unsigned char>(bytes[EI_CLASS]) == ELFCLASS64;
  if (wide ? machine != k_own_machine
           : std::find(k_own_32_bit_machines.begin(), k_own_32_bit_machines.end(), machine) ==
                 k_own_32_bit_machines.end()) {
    info.kind = ExecutableKind::other_machine;
    info.machine = machine_name(machine);
    return;
  }
  if (!wide) {
    info.kind = ExecutableKind::other_class;
    return;
  }
  if (bytes.size() < sizeof(Elf64_Ehdr)) {
    return;
  }
  const ElfImage image(bytes);
  const auto loader = image.loader();
  info.kind = loader ? ExecutableKind::dynamic_elf : ExecutableKind::static_elf;
  info.interpreter = loader.value_or("");
  info.musl = info.interpreter.find("/ld-musl") != std::string::npos;
  info.needed = image.needed();
  read_marks(image, info);
  read_symbols(image, info);
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

/// Whether it changes somebody's rights: whoever starts it need not be our user.
bool is_privileged(const std::filesystem::path& file, const struct stat& status) {
  const bool has_capabilities = ::getxattr(file.c_str(), "security.capability", nullptr, 0) > 0;
  return (status.st_mode & (S_ISUID | S_ISGID)) != 0 || has_capabilities;
}

}  // namespace

ExecutableInfo classify_executable(std::span<const std::byte> bytes) {
  ExecutableInfo info;
  const auto probe = bytes.first(std::min(bytes.size(), k_text_probe_bytes));
  info.looks_like_text = std::find(probe.begin(), probe.end(), std::byte{0}) == probe.end();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with(ELFMAG)) {
    info.looks_like_text = false;
    classify_elf(bytes, info);
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

bool is_loadable(const std::filesystem::path& file) {
  const ExecutableKind kind = inspect_executable(file).kind;
  return kind == ExecutableKind::dynamic_elf || kind == ExecutableKind::static_elf;
}

}  // namespace allocgate

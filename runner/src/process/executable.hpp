// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// What a program's file says about whether the hooks can be loaded into it.
enum class ExecutableKind {
  dynamic_elf,    // started by a dynamic loader, which obeys LD_PRELOAD; or such a loader
  static_elf,     // no dynamic loader
  other_class,    // an ELF file of 32 bits that this processor runs
  other_machine,  // an ELF file for another processor, or of the other byte order
  script,         // "#!" and an interpreter
  unknown,        // anything else, or not readable
};

/// A heap in the program that is not malloc, so that no hook of malloc sees it.
enum class OtherHeap { none, go, jvm, v8 };

struct ExecutableInfo {
  ExecutableKind kind = ExecutableKind::unknown;
  std::string interpreter;          // script: the program after "#!"; dynamic_elf: the loader
  std::vector<std::string> needed;  // the shared libraries that an ELF file names itself (DT_NEEDED)
  std::string machine;              // other_machine: its name
  std::string sanitizer;            // "AddressSanitizer" ...: its runtime must come first, before the hooks; or empty
  OtherHeap other_heap = OtherHeap::none;
  std::string own_allocator;     // "jemalloc" ...: linked in under names of its own, beside malloc; or empty
  bool own_malloc = false;       // it defines malloc itself, so that its calls pass the hooks by
  bool hidden_malloc = false;    // and shows that to nobody: the hooks cannot see it at run time
  bool own_new = false;          // it defines operator new, and not the one of the C++ library
  bool musl = false;             // its loader is musl's
  bool privileged = false;       // set-user-id, set-group-id or file capabilities: the loader may ignore LD_PRELOAD
  bool looks_like_text = false;  // no byte 0 near its start
};

/// From the bytes of a file. Pure; any bytes are allowed.
ExecutableInfo classify_executable(std::span<const std::byte> bytes);

/// From a file, with its permissions. A file that cannot be read is `unknown`.
ExecutableInfo inspect_executable(const std::filesystem::path& file);

/// Whether `file` can be a shared library of this machine.
bool is_loadable(const std::filesystem::path& file);

}  // namespace allocgate

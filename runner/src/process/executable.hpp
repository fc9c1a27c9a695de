// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// What a program's file says about whether the hooks can be loaded into it.
enum class ExecutableKind {
  dynamic_elf,    // started by a dynamic loader, which obeys LD_PRELOAD
  static_elf,     // no dynamic loader
  other_class,    // an ELF file of 32 bits, or of the other byte order
  other_machine,  // an ELF file for another processor
  script,         // "#!" and an interpreter
  unknown,        // anything else, or not readable
};

struct ExecutableInfo {
  ExecutableKind kind = ExecutableKind::unknown;
  std::string interpreter;          // script: the program after "#!"; dynamic_elf: the loader
  std::vector<std::string> needed;  // the shared libraries that an ELF file names itself (DT_NEEDED)
  bool privileged = false;          // set-user-id, set-group-id or file capabilities: the loader ignores LD_PRELOAD
  bool looks_like_text = false;     // no byte 0 near its start
};

/// From the bytes of a file. Pure; any bytes are allowed.
ExecutableInfo classify_executable(std::span<const std::byte> bytes);

/// From a file, with its permissions. A file that cannot be read is `unknown`.
ExecutableInfo inspect_executable(const std::filesystem::path& file);

/// Why the hooks cannot be in `file`, as a sentence without a full stop; nothing when the file gives no reason. For a
/// script, the reason of its interpreter.
std::optional<std::string> reason_for_blindness(const std::filesystem::path& file);

}  // namespace allocgate

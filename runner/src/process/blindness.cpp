// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/blindness.hpp"

#include "process/executable.hpp"
#include "process/printable.hpp"

#include <fmt/format.h>

namespace allocgate {
namespace {

constexpr int k_most_interpreters = 4;  // scripts whose interpreter is a script, as far as the kernel follows them

/// The program that the kernel runs for a file, and what its file says.
struct Inspected {
  std::string name;  // printable
  ExecutableInfo info;
};

Inspected inspect(const std::filesystem::path& file) {
  std::filesystem::path program = file;
  ExecutableInfo info = inspect_executable(program);
  for (int depth = 1; depth < k_most_interpreters && info.kind == ExecutableKind::script; ++depth) {
    program = info.interpreter;
    info = inspect_executable(program);
  }
  return {printable(program.string()), std::move(info)};
}

std::string static_sentence(const Inspected& program) {
  if (program.info.other_heap == OtherHeap::go) {
    return fmt::format(
        "{} is static and a Go program: it has no dynamic loader, so the hooks cannot be loaded, and its heap is not "
        "malloc; use Go's own counts, as of `go test -benchmem`",
        program.name);
  }
  if (program.info.own_malloc) {
    return fmt::format(
        "{} is static and brings its own allocator: it has no dynamic loader, so the hooks cannot be loaded; link it "
        "without -static and without the allocator, and name that with --allocator",
        program.name);
  }
  return fmt::format("{} is static: it has no dynamic loader, so the hooks cannot be loaded; link it without -static",
                     program.name);
}

std::string foreign_sentence(const Inspected& program) {
  if (program.info.kind == ExecutableKind::other_class) {
    return fmt::format(
        "{} is a 32-bit program and the hooks are for 64 bits, so they cannot be loaded; build it for 64 bits, without "
        "-m32",
        program.name);
  }
  return fmt::format(
      "{} is for another processor ({}), so the hooks cannot be loaded; build it for this machine, or count it on one "
      "of its own",
      program.name, program.info.machine);
}

std::string sanitizer_sentence(const Inspected& program) {
  return fmt::format(
      "{} is built with {}, whose malloc must come first, before the hooks; count a build without -fsanitize",
      program.name, program.info.sanitizer);
}

std::string shadow_sentence(const Inspected& program) {
  return fmt::format(
      "{} defines its own malloc, which comes before the hooks; link it without its allocator, and name that with "
      "--allocator",
      program.name);
}

}  // namespace

std::optional<std::string> reason_not_to_start(const std::filesystem::path& file) {
  const Inspected program = inspect(file);
  if (program.info.kind == ExecutableKind::static_elf) {
    return static_sentence(program);
  }
  if (program.info.kind == ExecutableKind::other_class) {
    return foreign_sentence(program);
  }
  if (!program.info.sanitizer.empty()) {
    return sanitizer_sentence(program);
  }
  return std::nullopt;
}

std::optional<std::string> reason_for_blindness(const std::filesystem::path& file) {
  if (auto reason = reason_not_to_start(file)) {
    return reason;
  }
  const Inspected program = inspect(file);
  if (program.info.kind == ExecutableKind::other_machine) {
    return foreign_sentence(program);
  }
  if (program.info.privileged) {
    return fmt::format(
        "{} changes its user, group or capabilities, so its loader ignores LD_PRELOAD; count a copy of it, which has "
        "no such right, as the user that it becomes",
        program.name);
  }
  if (program.info.musl) {
    return fmt::format(
        "{} is a musl program and its loader {} did not load the hooks; its message on standard error names what it "
        "could not open",
        program.name, printable(program.info.interpreter));
  }
  return std::nullopt;
}

std::optional<std::string> reason_for_shadow(const std::filesystem::path& file) {
  const Inspected program = inspect(file);
  return program.info.own_malloc ? std::optional(shadow_sentence(program)) : std::nullopt;
}

std::optional<std::string> reason_for_hidden_shadow(const std::filesystem::path& file) {
  const Inspected program = inspect(file);
  return program.info.hidden_malloc ? std::optional(shadow_sentence(program)) : std::nullopt;
}

std::optional<std::string> reason_for_exec_failure(const std::filesystem::path& file) {
  const ExecutableInfo own = inspect_executable(file);
  const Inspected program = inspect(file);
  if (program.info.kind == ExecutableKind::other_machine) {
    return fmt::format("{}: it is for another processor ({}); build it for this machine", program.name,
                       program.info.machine);
  }
  std::error_code error;
  if (!own.interpreter.empty() && !std::filesystem::exists(own.interpreter, error)) {
    return fmt::format("{}: its {} {} does not exist; install it, or correct {}", printable(file.string()),
                       own.kind == ExecutableKind::script ? "interpreter" : "loader", printable(own.interpreter),
                       own.kind == ExecutableKind::script ? "the first line of the script" : "how it is linked");
  }
  return std::nullopt;
}

std::vector<std::string> uncounted_heap_notes(const std::filesystem::path& file) {
  const Inspected program = inspect(file);
  std::vector<std::string> notes;
  const auto add_heap = [&](const char* what, const char* counted) {
    notes.push_back(
        fmt::format("{} is {}: its own heap is not malloc and is not counted, only what its {} code "
                    "allocates with malloc",
                    program.name, what, counted));
  };
  switch (program.info.other_heap) {
    case OtherHeap::none:
      break;
    case OtherHeap::go:
      add_heap("a Go program", "C");
      break;
    case OtherHeap::jvm:
      add_heap("a Java virtual machine", "native");
      break;
    case OtherHeap::v8:
      add_heap("a host of V8", "native");
      break;
  }
  if (!program.info.own_allocator.empty()) {
    notes.push_back(
        fmt::format("{} has {} linked in, which other code than malloc's may call: what it allocates there is not "
                    "counted; build it "
                    "with the system's malloc to count all",
                    program.name, program.info.own_allocator));
  }
  if (program.info.own_new) {
    notes.push_back(fmt::format(
        "{} has its own operator new: what that hands out of memory it already has is not counted", program.name));
  }
  return notes;
}

}  // namespace allocgate

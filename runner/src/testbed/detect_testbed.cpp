// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_testbed.hpp"

#include "base/version.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include <sys/utsname.h>
#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

namespace allocgate {

namespace {

std::string content_of(const char* file) {
  std::ifstream stream(file);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

std::string libc_text() {
#ifdef __GLIBC__
  return fmt::format("glibc {}", ::gnu_get_libc_version());
#else
  return "libc";
#endif
}

// What built this command built the suite beside it: one build makes both.
std::string compiler_text() {
#if defined(__clang__)
  return fmt::format("clang {}.{}", __clang_major__, __clang_minor__);
#else
  return fmt::format("gcc {}.{}", __GNUC__, __GNUC_MINOR__);
#endif
}

std::string stdlib_text() {
#if defined(_LIBCPP_VERSION)
  return fmt::format("libc++ {}", _LIBCPP_VERSION);
#elif defined(_GLIBCXX_RELEASE)
  return fmt::format("libstdc++ {}", _GLIBCXX_RELEASE);
#else
  return {};
#endif
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// The value of `key` in lines of `key<separator>value`; empty when there is none.
std::string value_in(std::string_view lines, std::string_view key, char separator) {
  while (!lines.empty()) {
    const std::string_view line = lines.substr(0, lines.find('\n'));
    lines.remove_prefix(std::min(line.size() + 1, lines.size()));
    const std::size_t at = line.find(separator);
    if (at == std::string_view::npos) {
      continue;
    }
    std::string_view name = line.substr(0, at);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    if (name == key) {
      const std::string_view value = line.substr(at + 1);
      const std::size_t begin = value.find_first_not_of(" \t");
      return begin == std::string_view::npos ? std::string() : std::string(without_quotes(value.substr(begin)));
    }
  }
  return {};
}

void add_field(Testbed& testbed, const std::string& name, const std::string& value) {
  if (!value.empty()) {
    testbed.fields[name] = value;
  }
}

/// A part of the id, which is a folder's name: letters, digits, dots, underscores and plus signs.
std::string id_part(std::string_view text) {
  std::string part;
  for (const char character : text) {
    const bool plain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
                       (character >= '0' && character <= '9') || character == '.' || character == '_' ||
                       character == '+';
    part += plain ? std::string(1, character) : std::string();
  }
  return part;
}

/// "Linux 6.1" of "Linux 6.1.0-37-amd64": a baseline is used on many machines, and their builds of one kernel differ in
/// nothing that counts depend on.
std::string kernel_series(const std::string& kernel) {
  const std::size_t first_dot = kernel.find('.');
  return first_dot == std::string::npos ? kernel
                                        : kernel.substr(0, kernel.find_first_not_of("0123456789", first_dot + 1));
}

}  // namespace

TestbedFacts read_testbed_facts() {
  TestbedFacts facts;
  facts.os_release = content_of("/etc/os-release");
  if (facts.os_release.empty()) {
    facts.os_release = content_of("/usr/lib/os-release");
  }
  utsname names{};
  if (::uname(&names) == 0) {
    facts.arch = names.machine;
    facts.kernel = std::string(names.sysname) + " " + names.release;
  }
  facts.libc = libc_text();
  facts.stdlib = stdlib_text();
  facts.compiler = compiler_text();
  facts.cpu_info = content_of("/proc/cpuinfo");
  return facts;
}

Testbed make_testbed(const TestbedFacts& facts, std::string_view allocator,
                     const std::map<std::string, std::string>& cores) {
  const std::string os_name = value_in(facts.os_release, "ID", '=');
  const std::string os_version = value_in(facts.os_release, "VERSION_ID", '=');
  const std::string os = os_name.empty() ? "linux" : os_version.empty() ? os_name : os_name + " " + os_version;

  Testbed testbed;
  add_field(testbed, "os", os);
  add_field(testbed, "arch", facts.arch);
  add_field(testbed, "kernel", kernel_series(facts.kernel));
  add_field(testbed, "libc", facts.libc);
  add_field(testbed, "stdlib", facts.stdlib);
  add_field(testbed, "compiler", facts.compiler);
  add_field(testbed, "cpu", value_in(facts.cpu_info, "model name", ':'));
  add_field(testbed, "allocator", std::string(allocator));
  add_field(testbed, "hooks", std::string(version()));
  for (const auto& [core, core_version] : cores) {
    add_field(testbed, "core." + core, core_version);
  }
  for (const std::string& part : {os, facts.arch, facts.libc, facts.compiler}) {
    const std::string text = id_part(part);
    if (!text.empty()) {
      testbed.id += (testbed.id.empty() ? "" : "-") + text;
    }
  }
  return testbed;
}

}  // namespace allocgate

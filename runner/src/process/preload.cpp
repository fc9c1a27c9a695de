// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/preload.hpp"

#include "base/error.hpp"
#include "process/environment.hpp"
#include "process/executable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace allocgate {
namespace {

struct KnownAllocator {
  std::string_view name;
  std::string_view package;                   // of Debian and its children
  std::array<std::string_view, 3> libraries;  // best first; empty: no more
};

constexpr std::array k_known_allocators = {
    KnownAllocator{"mimalloc", "libmimalloc2.0", {"libmimalloc.so.2", "libmimalloc.so.3", "libmimalloc.so"}},
    KnownAllocator{"jemalloc", "libjemalloc2", {"libjemalloc.so.2", "libjemalloc.so.1", "libjemalloc.so"}},
    KnownAllocator{
        "tcmalloc", "libtcmalloc-minimal4", {"libtcmalloc_minimal.so.4", "libtcmalloc.so.4", "libtcmalloc_minimal.so"}},
};

constexpr std::string_view k_system = "system";

#if defined(__x86_64__)
constexpr std::string_view k_multiarch = "x86_64-linux-gnu";
#elif defined(__aarch64__)
constexpr std::string_view k_multiarch = "aarch64-linux-gnu";
#endif

std::vector<std::filesystem::path> library_folders() {
  std::vector<std::filesystem::path> folders;
  std::string listed = own_variable("LD_LIBRARY_PATH").value_or("");
  for (std::size_t begin = 0; begin < listed.size();) {
    const std::size_t end = std::min(listed.find(':', begin), listed.size());
    folders.emplace_back(listed.substr(begin, end - begin));
    begin = end + 1;
  }
  for (const char* parent : {"/usr/local/lib", "/usr/lib", "/lib"}) {
    folders.push_back(std::filesystem::path(parent) / k_multiarch);
  }
  for (const char* folder : {"/usr/local/lib64", "/usr/local/lib", "/usr/lib64", "/lib64", "/usr/lib", "/lib"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

Allocator find_known(const KnownAllocator& known) {
  for (const std::string_view library : known.libraries) {
    for (const std::filesystem::path& folder : library_folders()) {
      if (is_loadable(folder / library)) {
        return {std::string(known.name), folder / library};
      }
    }
  }
  throw Error(ExitCode::usage,
              fmt::format("--allocator {}: {} is in no library folder; install it (Debian: apt-get install {}) or give "
                          "the path of the library",
                          known.name, known.libraries.front(), known.package));
}

/// Whether the loader takes `path` as one name, without splitting at it or expanding it.
bool is_plain(const std::string& path) {
  constexpr std::string_view k_allowed = "/._-+=@%,~";
  return std::all_of(path.begin(), path.end(), [&](char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
           (character >= '0' && character <= '9') || k_allowed.find(character) != std::string_view::npos;
  });
}

std::vector<std::string> names_in(std::string_view preload) {
  constexpr std::string_view k_separators = ": ";
  std::vector<std::string> names;
  while (!preload.empty()) {
    const std::size_t end = std::min(preload.find_first_of(k_separators), preload.size());
    if (end > 0) {
      names.emplace_back(preload.substr(0, end));
    }
    preload.remove_prefix(std::min(end + 1, preload.size()));
  }
  return names;
}

}  // namespace

Allocator find_allocator(std::string_view name) {
  if (name == k_system) {
    return {std::string(k_system), {}};
  }
  for (const KnownAllocator& known : k_known_allocators) {
    if (known.name == name) {
      return find_known(known);
    }
  }
  if (name.find('/') == std::string_view::npos) {
    throw Error(ExitCode::usage,
                fmt::format("--allocator {}: no such allocator; known are system, mimalloc, jemalloc and tcmalloc, or "
                            "give the path of a library with a slash in it",
                            name));
  }
  std::error_code error;
  const std::filesystem::path path = std::filesystem::absolute(name, error);
  if (!std::filesystem::exists(path, error)) {
    throw Error(ExitCode::usage, fmt::format("--allocator {}: there is no such file", name));
  }
  if (!is_loadable(path)) {
    throw Error(ExitCode::usage, fmt::format("--allocator {}: the file is no shared library of this machine", name));
  }
  return {path.string(), path};
}

std::string preload_value(const Preload& preload, const std::filesystem::path& folder) {
  std::string value;
  unsigned links = 0;
  for (const std::filesystem::path* library : {&preload.hooks, &preload.allocator, &preload.forwarder}) {
    if (library->empty()) {
      continue;
    }
    std::error_code error;
    if (!std::filesystem::exists(*library, error)) {
      throw Error(ExitCode::not_measured,
                  fmt::format("{} is missing; build or install allocgate completely", library->string()));
    }
    std::filesystem::path name = std::filesystem::absolute(*library, error);
    if (!is_plain(name.string())) {
      name = folder / fmt::format("preload-{}.so", ++links);
      std::filesystem::create_symlink(std::filesystem::absolute(*library), name, error);
      if (error || !is_plain(name.string())) {
        throw Error(ExitCode::not_measured,
                    fmt::format("cannot preload {} through {}: {}; let ALLOCGATE_RECORD_DIR name a folder without "
                                "spaces, colons and special characters",
                                library->string(), name.string(),
                                error ? error.message() : "the loader would split this name"));
      }
    }
    value += (value.empty() ? "" : ":");
    value += name.string();
  }
  for (const std::string& library : names_in(preload.existing)) {
    // Under an outer allocgate the hooks are in the caller's value already.
    if (std::filesystem::path(library).filename() != preload.hooks.filename()) {
      value += ':' + library;
    }
  }
  return value;
}

}  // namespace allocgate

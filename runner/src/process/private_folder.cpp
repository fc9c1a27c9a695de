// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/private_folder.hpp"

#include "base/error.hpp"
#include "process/environment.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace allocgate {
namespace {

constexpr std::string_view k_folder_template = "allocgate-XXXXXX";

/// A new folder of mode 0700 in `parent`, or nothing with errno set.
std::optional<std::filesystem::path> make_private_folder(const std::filesystem::path& parent) {
  std::string name = (parent / k_folder_template).string();
  if (::mkdtemp(name.data()) == nullptr) {
    return std::nullopt;
  }
  return name;
}

std::vector<std::filesystem::path> usual_parents() {
  std::vector<std::filesystem::path> parents = {"/dev/shm"};
  for (const char* variable : {"XDG_RUNTIME_DIR", "TMPDIR"}) {
    if (const auto folder = own_variable(variable)) {
      parents.emplace_back(*folder);
    }
  }
  parents.emplace_back("/tmp");
  return parents;
}

std::filesystem::path choose_folder() {
  if (const auto chosen = own_variable(k_record_folder_variable)) {
    // The measured program may change its folder, so the path must not depend on it.
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::absolute(*chosen, ignored);
    if (auto folder = make_private_folder(parent)) {
      return *folder;
    }
    throw Error(ExitCode::not_measured,
                fmt::format("cannot make a folder in {}: {}; let {} name a writable folder, or unset it",
                            parent.string(), std::strerror(errno), k_record_folder_variable));
  }
  std::string tried;
  for (const std::filesystem::path& parent : usual_parents()) {
    if (!parent.is_absolute()) {
      continue;
    }
    if (auto folder = make_private_folder(parent)) {
      return *folder;
    }
    tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", parent.string(), std::strerror(errno));
  }
  throw Error(ExitCode::not_measured,
              fmt::format("no folder for the hook record is writable, tried {}; let {} name one that is", tried,
                          k_record_folder_variable));
}

}  // namespace

PrivateFolder::PrivateFolder() : m_path(choose_folder()) {}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

}  // namespace allocgate

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
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace allocgate {
namespace {

constexpr std::string_view k_prefix = "allocgate-record-";
constexpr std::string_view k_placeholder = "XXXXXX";

Descriptor open_folder(const std::filesystem::path& folder) {
  return Descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Whether `folder` is still what `open` is of.
bool is_same(const std::filesystem::path& folder, const Descriptor& open) {
  struct stat by_name {};
  struct stat by_descriptor {};
  return ::lstat(folder.c_str(), &by_name) == 0 && ::fstat(open.get(), &by_descriptor) == 0 &&
         by_name.st_ino == by_descriptor.st_ino && by_name.st_dev == by_descriptor.st_dev;
}

/// Removes the folders of ours that nobody holds: their runner was killed.
void remove_left_behind(const std::filesystem::path& parent) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(parent, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(k_prefix) || name.size() != k_prefix.size() + k_placeholder.size()) {
      continue;
    }
    const Descriptor folder = open_folder(entry.path());
    struct stat status {};
    if (folder.is_open() && ::fstat(folder.get(), &status) == 0 && status.st_uid == ::geteuid() &&
        ::flock(folder.get(), LOCK_EX | LOCK_NB) == 0 && is_same(entry.path(), folder)) {
      std::error_code ignored;
      std::filesystem::remove_all(entry.path(), ignored);
    }
  }
}

struct LockedFolder {
  std::filesystem::path path;
  Descriptor lock;
};

/// A new folder of mode 0700 in `parent`, or nothing with errno set.
std::optional<LockedFolder> make_locked_folder(const std::filesystem::path& parent) {
  for (;;) {
    std::string name = (parent / k_prefix).string() + std::string(k_placeholder);
    if (::mkdtemp(name.data()) == nullptr) {
      return std::nullopt;
    }
    Descriptor lock = open_folder(name);
    // Another runner may take it for one that was left behind until it is locked; then a new one is made.
    if (!lock.is_open() || ::flock(lock.get(), LOCK_EX) != 0) {
      const int error = errno;
      std::error_code ignored;
      std::filesystem::remove(name, ignored);
      errno = error;
      return std::nullopt;
    }
    if (is_same(name, lock)) {
      remove_left_behind(parent);
      return LockedFolder{name, above_standard_streams(std::move(lock))};
    }
  }
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

LockedFolder choose_folder() {
  if (const auto chosen = own_variable(k_record_folder_variable)) {
    // The measured program may change its folder, so the path must not depend on it.
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::absolute(*chosen, ignored);
    if (auto folder = make_locked_folder(parent)) {
      return std::move(*folder);
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
    if (auto folder = make_locked_folder(parent)) {
      return std::move(*folder);
    }
    tried += fmt::format("{}{} ({})", tried.empty() ? "" : ", ", parent.string(), std::strerror(errno));
  }
  throw Error(ExitCode::not_measured,
              fmt::format("no folder for the hook record is writable, tried {}; let {} name one that is", tried,
                          k_record_folder_variable));
}

}  // namespace

PrivateFolder::PrivateFolder() {
  LockedFolder folder = choose_folder();
  m_path = std::move(folder.path);
  m_lock = std::move(folder.lock);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/file.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace allocgate {

namespace {

namespace fs = std::filesystem;

std::string system_words(int error) {
  return std::system_category().message(error);
}

std::string remedy_for(int error, const fs::path& file) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there, or choose another folder";
    case EACCES:
    case EPERM:
      return fmt::format("allow writing to {}, or choose another folder", file.parent_path().string());
    case EROFS:
      return "that file system is read-only: choose another folder";
    case EISDIR:
      return "name a file in it";
    case ENOTDIR:
      return "a part of its path is a file: choose another folder";
    default:
      return "choose another file";
  }
}

[[noreturn]] void refuse_to_write(const fs::path& file, int error) {
  throw Error(ExitCode::internal_error, fmt::format("cannot write {}: {}; nothing was changed, {}", file.string(),
                                                    system_words(error), remedy_for(error, file)));
}

[[noreturn]] void refuse_to_read(const fs::path& file, int error) {
  const char* remedy = error == ENOENT   ? "check the name"
                       : error == EISDIR ? "name a file in it"
                       : error == EACCES ? "allow reading it"
                                         : "choose another file";
  throw Error(ExitCode::unreadable_input,
              fmt::format("cannot read {}: {}; {}", file.string(), system_words(error), remedy));
}

// Owns a descriptor; closing twice is safe.
class Descriptor {
public:
  explicit Descriptor(int number) : m_number(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  [[nodiscard]] int number() const { return m_number; }
  // 0, or the error that only closing tells (a network file system may report a full disk here).
  int close() {
    const int number = std::exchange(m_number, -1);
    return number >= 0 && ::close(number) != 0 ? errno : 0;
  }

private:
  int m_number;
};

// The new name of the file that is being written. mkostemp makes the name in place, so that it is known here before the
// file is there.
std::array<char, PATH_MAX> g_unfinished;
std::atomic<bool> g_is_unfinished{false};

// Puts `temporary`, a pattern of mkostemp, there; false when it is too long for any system call.
bool announce_unfinished(const std::string& temporary) {
  if (temporary.size() >= g_unfinished.size()) {
    return false;
  }
  std::copy_n(temporary.c_str(), temporary.size() + 1, g_unfinished.data());
  g_is_unfinished = true;
  return true;
}

// 0 or the error.
int write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0) {
      if (errno == EINTR) {
        continue;
      }
      return errno;
    }
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

// The file behind symbolic links: a rename would replace the link itself.
fs::path resolved(const fs::path& file) {
  std::error_code ignored;
  const fs::path real = fs::weakly_canonical(file, ignored);
  return real.empty() ? file : real;
}

mode_t mode_for(const fs::path& file) {
  constexpr mode_t k_permissions = 07777;
  struct stat existing {};
  if (::stat(file.c_str(), &existing) == 0) {
    return existing.st_mode & k_permissions;
  }
  // mkstemp makes files that only we may read; a new file gets what a shell's redirection would give it. There is no
  // other way to read the umask than to set it.
  constexpr mode_t k_everyone = 0666;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return k_everyone & ~mask;
}

bool is_special(const fs::path& file) {
  std::error_code ignored;
  const auto status = fs::status(file, ignored);
  return fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status);
}

void write_directly(const fs::path& file, std::string_view content) {
  Descriptor descriptor(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    refuse_to_write(file, errno);
  }
  if (const int error = write_all(descriptor.number(), content)) {
    refuse_to_write(file, error);
  }
}

// A rename is on disk only when its folder is. Not every file system can sync a folder; then there is no more to do.
void sync_folder(const fs::path& folder) {
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.number() >= 0) {
    ::fsync(descriptor.number());
  }
}

}  // namespace

std::string read_file(const fs::path& file) {
  const Descriptor descriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    refuse_to_read(file, errno);
  }
  constexpr std::size_t k_chunk = 65536;
  std::array<char, k_chunk> chunk;
  std::string content;
  while (true) {
    const ssize_t got = ::read(descriptor.number(), chunk.data(), chunk.size());
    if (got == 0) {
      return content;
    }
    if (got > 0) {
      content.append(chunk.data(), static_cast<std::size_t>(got));
    } else if (errno != EINTR) {
      refuse_to_read(file, errno);
    }
  }
}

void write_file_atomically(const fs::path& named, std::string_view content) {
  if (is_special(named)) {
    write_directly(named, content);
    return;
  }
  const fs::path file = resolved(fs::absolute(named));
  if (fs::is_directory(file)) {
    refuse_to_write(named, EISDIR);
  }
  std::error_code folder_error;
  fs::create_directories(file.parent_path(), folder_error);
  if (folder_error) {
    refuse_to_write(named, folder_error.value());
  }

  if (!announce_unfinished(file.string() + ".XXXXXX")) {
    refuse_to_write(named, ENAMETOOLONG);
  }
  Descriptor descriptor(::mkostemp(g_unfinished.data(), O_CLOEXEC));
  if (descriptor.number() < 0) {
    const int reason = errno;
    g_is_unfinished = false;
    refuse_to_write(named, reason);
  }
  int error = write_all(descriptor.number(), content);
  if (error == 0 && ::fchmod(descriptor.number(), mode_for(file)) != 0) {
    error = errno;
  }
  if (error == 0 && ::fsync(descriptor.number()) != 0) {
    error = errno;
  }
  const int close_error = descriptor.close();
  error = error == 0 ? close_error : error;
  if (error == 0 && ::rename(g_unfinished.data(), file.c_str()) != 0) {
    error = errno;
  }
  if (error != 0) {
    ::unlink(g_unfinished.data());
  }
  g_is_unfinished = false;
  if (error != 0) {
    refuse_to_write(named, error);
  }
  sync_folder(file.parent_path());
}

void remove_unfinished_file() noexcept {
  if (g_is_unfinished) {
    ::unlink(g_unfinished.data());
  }
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/hook_record.hpp"

#include "base/error.hpp"
#include "process/environment.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace allocgate {
namespace {

constexpr const char* k_folder_variable = "ALLOCGATE_RECORD_DIR";
constexpr std::string_view k_folder_template = "allocgate-XXXXXX";

[[noreturn]] void fail(const std::filesystem::path& folder, const std::string& reason, const std::string& remedy) {
  throw Error(ExitCode::not_measured,
              fmt::format("cannot make the hook record in {}: {}; {}", folder.string(), reason, remedy));
}

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
  if (const auto chosen = own_variable(k_folder_variable)) {
    // The measured program may change its folder, so the path must not depend on it.
    std::error_code ignored;
    const std::filesystem::path parent = std::filesystem::absolute(*chosen, ignored);
    if (auto folder = make_private_folder(parent)) {
      return *folder;
    }
    fail(parent, std::strerror(errno), fmt::format("let {} name a writable folder, or unset it", k_folder_variable));
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
              fmt::format("cannot make the hook record: no folder is writable, tried {}; let {} name one that is",
                          tried, k_folder_variable));
}

}  // namespace

HookRecord::HookRecord(const Options& options) : m_layout(options.layout), m_folder(choose_folder()) {
  try {
    create(options);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(m_folder, ignored);
    throw;
  }
}

HookRecord::~HookRecord() {
  std::error_code ignored;
  std::filesystem::remove_all(m_folder, ignored);
}

void HookRecord::create(const Options& options) {
  const std::filesystem::path parent = m_folder.parent_path();
  const std::uint64_t size = record_size(m_layout);
  rlimit limit{};
  // Beyond this limit the system would send SIGXFSZ instead of an error.
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < size) {
    fail(parent, fmt::format("files are limited to {} bytes and it needs {}", limit.rlim_cur, size),
         "raise the limit with `ulimit -f`");
  }
  m_file = Descriptor(::open(path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!m_file.is_open()) {
    fail(parent, std::strerror(errno), fmt::format("let {} name another folder", k_folder_variable));
  }
  // Every page now: a program that met a full disk on its first write to a hole would die by SIGBUS.
  if (const int error = ::posix_fallocate(m_file.get(), 0, static_cast<off_t>(size)); error != 0) {
    fail(parent, fmt::format("{} bytes: {}", size, std::strerror(error)),
         fmt::format("free some space there, or let {} name another folder", k_folder_variable));
  }
  const std::vector<std::byte> header = record_header(m_layout, options.usable_sizes, options.follow_children);
  if (::pwrite(m_file.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size())) {
    fail(parent, std::strerror(errno), fmt::format("let {} name another folder", k_folder_variable));
  }
}

RecordContents HookRecord::read() const {
  std::vector<std::byte> bytes(record_size(m_layout));
  std::size_t filled = 0;
  // Not mapped: the measured program could cut the file under our hands.
  while (filled < bytes.size()) {
    const auto length = ::pread(m_file.get(), bytes.data() + filled, bytes.size() - filled, static_cast<off_t>(filled));
    if (length < 0 && errno == EINTR) {
      continue;
    }
    if (length < 0) {
      throw Error(ExitCode::not_measured, fmt::format("cannot read the hook record {}: {}; measure again",
                                                      path().string(), std::strerror(errno)));
    }
    if (length == 0) {
      break;
    }
    filled += static_cast<std::size_t>(length);
  }
  bytes.resize(filled);
  return parse_record(bytes, m_layout);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/hook_record.hpp"

#include "base/error.hpp"

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

[[noreturn]] void fail(const std::filesystem::path& folder, const std::string& reason, const std::string& remedy) {
  throw Error(ExitCode::not_measured,
              fmt::format("cannot make the hook record in {}: {}; {}", folder.string(), reason, remedy));
}

}  // namespace

HookRecord::HookRecord(const Options& options) : m_layout(options.layout) {
  const std::filesystem::path parent = folder().parent_path();
  const std::uint64_t size = record_size(m_layout);
  rlimit limit{};
  // Beyond this limit the system would send SIGXFSZ instead of an error.
  if (::getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < size) {
    fail(parent, fmt::format("files are limited to {} bytes and it needs {}", limit.rlim_cur, size),
         "raise the limit with `ulimit -f`");
  }
  m_file = Descriptor(::open(path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR));
  if (!m_file.is_open()) {
    fail(parent, std::strerror(errno), fmt::format("let {} name another folder", k_record_folder_variable));
  }
  // Every page now: a program that met a full disk on its first write to a hole would die by SIGBUS.
  if (const int error = ::posix_fallocate(m_file.get(), 0, static_cast<off_t>(size)); error != 0) {
    fail(parent, fmt::format("{} bytes: {}", size, std::strerror(error)),
         fmt::format("free some space there, or let {} name another folder", k_record_folder_variable));
  }
  const std::vector<std::byte> header = record_header(m_layout, options.usable_sizes, options.follow_children);
  if (::pwrite(m_file.get(), header.data(), header.size(), 0) != static_cast<ssize_t>(header.size())) {
    fail(parent, std::strerror(errno), fmt::format("let {} name another folder", k_record_folder_variable));
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

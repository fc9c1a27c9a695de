// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "workloads/common/package_version.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

namespace allocgate::suite {

namespace {

constexpr char k_dpkg_status[] = "/var/lib/dpkg/status";
constexpr std::size_t k_longest_line = 256;

// A whole file, mapped; empty when it cannot be read.
class MappedFile {
public:
  explicit MappedFile(const char* path) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status = {};
    if (descriptor < 0) {
      return;
    }
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
      m_size = static_cast<std::size_t>(status.st_size);
      m_data = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    }
    close(descriptor);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (m_data != MAP_FAILED) {
      munmap(m_data, m_size);
    }
  }

  [[nodiscard]] std::string_view text() const {
    return m_data != MAP_FAILED ? std::string_view(static_cast<const char*>(m_data), m_size) : std::string_view();
  }

private:
  std::size_t m_size = 0;
  void* m_data = MAP_FAILED;
};

// The paragraph about an installed package; empty when there is none.
std::string_view paragraph_of(std::string_view status, const char* package) {
  std::array<char, k_longest_line> line{};
  std::snprintf(line.data(), line.size(), "\nPackage: %s\n", package);
  const std::size_t begin = status.find(line.data());
  if (begin == std::string_view::npos) {
    return {};
  }
  const std::string_view paragraph = status.substr(begin, status.find("\n\n", begin) - begin);
  return paragraph.find("\nStatus: install ok installed\n") != std::string_view::npos ? paragraph : std::string_view();
}

}  // namespace

std::string package_version(std::initializer_list<const char*> packages, std::string otherwise) {
  constexpr std::string_view k_version = "\nVersion: ";
  const MappedFile status(k_dpkg_status);
  for (const char* package : packages) {
    const std::string_view paragraph = paragraph_of(status.text(), package);
    const std::size_t at = paragraph.find(k_version);
    if (at != std::string_view::npos) {
      const std::string_view rest = paragraph.substr(at + k_version.size());
      return std::string(rest.substr(0, rest.find('\n')));
    }
  }
  return otherwise;
}

}  // namespace allocgate::suite

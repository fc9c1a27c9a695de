// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/open_descriptors.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string>
#include <system_error>

namespace allocgate {

std::optional<std::set<int>> open_descriptors_of(std::int64_t pid) {
  std::error_code error;
  std::filesystem::directory_iterator entry(fmt::format("/proc/{}/fd", pid), error);
  std::set<int> open;
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    int number = 0;
    std::from_chars(name.data(), name.data() + name.size(), number);
    open.insert(number);
  }
  return error ? std::nullopt : std::optional(open);
}

}  // namespace allocgate

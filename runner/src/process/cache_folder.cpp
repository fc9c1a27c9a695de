// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/cache_folder.hpp"

#include "process/environment.hpp"

namespace allocgate {

std::optional<std::filesystem::path> cache_folder() {
  if (const auto folder = own_variable("ALLOCGATE_CACHE_DIR")) {
    return std::filesystem::path(*folder);
  }
  if (const auto folder = own_variable("XDG_CACHE_HOME")) {
    return std::filesystem::path(*folder) / "allocgate";
  }
  if (const auto folder = own_variable("HOME")) {
    return std::filesystem::path(*folder) / ".cache/allocgate";
  }
  return std::nullopt;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/digest.hpp"

#include "base/file.hpp"

#include <fmt/format.h>

namespace allocgate {

std::string digest_of(std::string_view text) {
  constexpr std::uint64_t k_offset_basis = 0xcbf29ce484222325;
  constexpr std::uint64_t k_prime = 0x100000001b3;
  std::uint64_t hash = k_offset_basis;
  for (const char character : text) {
    hash = (hash ^ static_cast<unsigned char>(character)) * k_prime;
  }
  return fmt::format("{:016x}", hash);
}

std::string digest_of_file(const std::filesystem::path& file) {
  return digest_of(read_file(file));
}

}  // namespace allocgate

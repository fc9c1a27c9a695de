// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

// Short names for contents. Not for secrets: whoever must be sure compares the contents too.
namespace allocgate {

/// The 64-bit FNV-1a hash of `text` (draft-eastlake-fnv), as 16 hexadecimal digits.
std::string digest_of(std::string_view text);

/// The same of a file's content. Throws Error (65) as read_file does.
std::string digest_of_file(const std::filesystem::path& file);

}  // namespace allocgate

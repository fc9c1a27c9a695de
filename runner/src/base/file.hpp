// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

// Whole files in and out. A file that we write is there as a whole or not at all.
namespace allocgate {

/// The content of `file`. Throws Error (65) that names the file and the reason: it is missing, a folder, not readable.
std::string read_file(const std::filesystem::path& file);

/// Writes `content` to a new name in the same folder, syncs it and renames it to `file`: a reader sees the old file or
/// the new one, and so does a machine that loses power. Missing folders are made. The permissions of a file that is
/// replaced are kept, and a symbolic link is followed. Throws Error (1) naming file, reason and remedy; then the old
/// file is untouched and the new name is gone. Standard output and other things that are not regular files are
/// written to directly, because they cannot be renamed. One thread at a time.
void write_file_atomically(const std::filesystem::path& file, std::string_view content);

/// Removes the new name of the file that is being written now, if one is: for a signal handler that ends the process.
/// Async-signal-safe.
void remove_unfinished_file() noexcept;

}  // namespace allocgate

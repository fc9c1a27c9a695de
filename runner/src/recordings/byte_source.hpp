// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace allocgate {

/// A file's content, piece by piece, with gzip and zstd undone on the way: a recording may be many times larger than
/// its file. One thread.
class ByteSource {
public:
  virtual ~ByteSource() = default;

  /// Fills `buffer` from its start; fewer bytes than it holds, down to 0, only at the end. Throws Error (65) naming the
  /// file, the place and the reason.
  virtual std::size_t read(std::span<char> buffer) = 0;
};

/// Opens `file` ("-" is standard input). Throws Error (65) when that fails or nothing is in it.
std::unique_ptr<ByteSource> open_recording(const std::filesystem::path& file);

/// `text` gzipped, the same bytes each time. Throws Error (1) when memory is short.
std::string gzipped(std::string_view text);

/// The whole rest of a source.
std::string read_all(ByteSource& source);

/// The name of a recording in messages: "standard input" for "-".
std::string shown_file(const std::filesystem::path& file);

}  // namespace allocgate

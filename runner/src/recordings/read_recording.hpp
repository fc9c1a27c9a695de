// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "stacks/recording.hpp"

#include <filesystem>

namespace allocgate {

/// Reads a recording of any format that we know, which is found by its content, also gzipped or compressed with zstd;
/// "-" is standard input. Throws Error (65) naming the file, the place and the reason when it is empty, cut, damaged or
/// of another format.
Recording read_recording(const std::filesystem::path& file);

}  // namespace allocgate

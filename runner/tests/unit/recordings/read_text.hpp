// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/error.hpp"
#include "recordings/read_recording.hpp"
#include "stacks/name_table.hpp"
#include "temporary_folder.hpp"

#include <fstream>
#include <map>
#include <string>
#include <string_view>

namespace allocgate {

/// What read_recording makes of a file with this content, which it calls "recording".
inline Recording read_text(std::string_view content) {
  static const TemporaryFolder folder;
  // A new file each time: a file system may write one that is truncated to disk at once.
  std::filesystem::remove(folder.path() / "recording");
  std::ofstream(folder.path() / "recording", std::ios::binary) << content;
  return read_recording(folder.path() / "recording");
}

/// The message with which it is refused from the file's name on; empty when it is read.
inline std::string refusal_of(std::string_view content) {
  try {
    read_text(content);
    return {};
  } catch (const Error& error) {
    const std::string message = error.what();
    return (error.code() == ExitCode::unreadable_input ? "" : "another exit code: ") +
           message.substr(std::min(message.find("recording: ") + 11, message.size()));
  }
}

/// Its stacks, "malloc < run < main", each with the sum of a measure.
inline std::map<std::string, Count> stacks_of(const Recording& recording, std::size_t measure = 0) {
  std::map<std::string, Count> stacks;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    std::string text;
    for (const FrameId frame : recording.frames_of(recording.entry_stack(entry))) {
      text += (text.empty() ? "" : " < ") + shown_name(recording, recording.frame(frame));
    }
    stacks[text] += recording.entry_values(entry)[measure];
  }
  return stacks;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/read_recording.hpp"

#include "base/error.hpp"
#include "json/stack_documents.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"

#include <fmt/format.h>

#include <array>

namespace allocgate {

namespace {

constexpr std::size_t k_looked_at = std::size_t{1} << 20U;

struct LineFormat {
  bool (*looks_like)(std::string_view beginning);
  Recording (*read)(LineReader& lines);
};

// The most particular first: nearly any text could be folded stacks.
constexpr auto k_line_formats = std::to_array<LineFormat>({
    {looks_like_heaptrack_data, read_heaptrack_data},
    {looks_like_heaptrack_text, read_heaptrack_text},
    {looks_like_bpftrace, read_bpftrace},
    {looks_like_dtrace, read_dtrace},
    {looks_like_folded, read_folded},
});

Recording read_any(const std::filesystem::path& file) {
  const std::string name = shown_file(file);
  const std::unique_ptr<ByteSource> source = open_recording(file);
  std::string beginning(k_looked_at, '\0');
  beginning.resize(source->read(beginning));
  if (trimmed(beginning).find_first_not_of('\n') == std::string_view::npos) {
    throw Error(ExitCode::unreadable_input,
                fmt::format("cannot read {}: there is nothing in it; record it again", name));
  }
  if (looks_like_json(beginning)) {
    return recording_from_json(beginning + read_all(*source), name);
  }
  if (looks_like_pprof(beginning)) {
    return read_pprof(beginning + read_all(*source), name);
  }
  for (const LineFormat& format : k_line_formats) {
    if (format.looks_like(beginning)) {
      LineReader lines(*source, std::move(beginning), name);
      return format.read(lines);
    }
  }
  throw Error(
      ExitCode::unreadable_input,
      fmt::format("cannot read {}: it is no recording that we know: not pprof, heaptrack data (version 1 to 3), "
                  "text of heaptrack_print, DTrace or bpftrace, folded stacks or DHAT; 'allocgate stacks "
                  "--help' says what can be read",
                  name));
}

}  // namespace

Recording read_recording(const std::filesystem::path& file) {
  Recording recording = read_any(file);
  // A loop that allocates nothing is a recording too; then the file says of what it is.
  if (recording.entry_count() == 0 && recording.command.empty()) {
    throw Error(ExitCode::unreadable_input,
                fmt::format("cannot read {}: no stack is in it; record it again", shown_file(file)));
  }
  recording.freeze();
  return recording;
}

}  // namespace allocgate

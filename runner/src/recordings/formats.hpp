// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "recordings/line_reader.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <filesystem>
#include <string>
#include <string_view>

// One reader a format, and beside it the writer where we write the format too. Readers throw Error (65) that names the
// file, the place and the reason. Writers give the same bytes for the same recording.
namespace allocgate {

/// What `heaptrack` writes (its interpreted file, version 1 to 3): every event, replayed.
bool looks_like_heaptrack_data(std::string_view beginning);
Recording read_heaptrack_data(LineReader& lines);

/// What `heaptrack_print` prints, with and without --merge-backtraces: its list of calls to allocation functions.
bool looks_like_heaptrack_text(std::string_view beginning);
Recording read_heaptrack_text(LineReader& lines);

/// What bpftrace prints of maps whose key has a stack: all integer maps added up, other maps passed over.
bool looks_like_bpftrace(std::string_view beginning);
Recording read_bpftrace(LineReader& lines);

/// What DTrace prints of an aggregation by ustack().
bool looks_like_dtrace(std::string_view beginning);
Recording read_dtrace(LineReader& lines);

/// Folded stacks, "main;run;malloc 12". ";" and newlines in names are written as %3B and %0A.
bool looks_like_folded(std::string_view beginning);
Recording read_folded(LineReader& lines);
std::string to_folded(const Recording& recording, std::size_t measure);
/// All stacks with two counts, before and after, as flamegraph.pl takes them for a picture of the difference. Where
/// both files know their iterations the counts are multiples of 1/unit_iterations() of the difference.
std::string to_folded(const StackDiff& diff);
/// A frame's name as folded stacks have it.
std::string folded_name(std::string_view name);

/// pprof's profile.proto, ours and anybody's, not compressed any more.
bool looks_like_pprof(std::string_view beginning);
Recording read_pprof(std::string_view content, const std::filesystem::path& named);
/// The profile, gzipped: the file that keeps everything a recording has.
std::string to_pprof(const Recording& recording);

}  // namespace allocgate

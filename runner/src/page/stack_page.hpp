// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "json/stack_documents.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <string>

// Call stacks as one HTML file for a browser: summary, flame graph on a canvas, table, search, and the recordings in
// formats of other viewers. Nothing is fetched, not even by accident: the file's own policy forbids it. The same input
// gives the same bytes. Pure functions; any thread.
namespace allocgate {

/// What two recordings are called: files, or else whatever tells them apart, as two revisions.
struct PageNames {
  DiffNames names;
  bool are_files = true;
};

/// The difference of two recordings. Throws Error (1) when memory is short.
std::string stack_diff_page(const StackDiff& diff, const Recording& before, const Recording& after,
                            const PageNames& sides);

/// One recording by the measure of that number, per iteration where that is wanted and known. Throws as above, and
/// Error (65) when the values do not fit in 64 bits together.
std::string stacks_page(const Recording& recording, std::size_t measure, bool per_iteration, const std::string& name);

}  // namespace allocgate

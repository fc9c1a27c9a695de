// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/streams.hpp"
#include "stacks/grouping.hpp"
#include "stacks/recording.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace CLI {
class App;
}

// What `stacks` and `diff` have in common.
namespace allocgate {

/// Options that choose what of a recording is shown.
struct RecordingOptions {
  std::string by;  // empty: whole stacks
  std::size_t depth = 0;
  std::string filter;
  std::string measure;
  bool totals = false;

  void setup(CLI::App& app);
  [[nodiscard]] GroupBy group_by() const;
};

/// Says on standard error what of the file must be known beside its numbers: its notes, and how much of `measure` is in
/// stacks that it does not list.
void say_what_is_missing(const Recording& recording, const std::string& file, std::size_t measure,
                         const Streams& streams);

/// The measure of that name, or the main one where it is empty. Throws Error (64) with the names there are.
std::size_t chosen_measure(const Recording& recording, const std::string& name, const std::string& file);

}  // namespace allocgate

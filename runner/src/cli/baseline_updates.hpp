// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "baselines/baseline_store.hpp"
#include "cli/output_options.hpp"
#include "cli/streams.hpp"
#include "compare/make_baseline.hpp"

#include <vector>

namespace allocgate {

/// One suite's file before and after, as the commands that change baselines make it.
struct BaselineUpdate {
  bool first = false;  // the suite had no baseline
  MadeBaseline made;
  bool stacks_changed = false;  // other call stacks are kept than before
};

/// Shows the difference as text, or as JSON (allocgate.baseline-update/1), where `output` says. Throws Error (1).
void show_updates(const std::vector<BaselineUpdate>& updates, const BaselineStore& store, const OutputOptions& output,
                  const Streams& streams);

/// Writes every file that changes and says so; one without any entry left is removed. Throws Error (1).
void write_updates(const std::vector<BaselineUpdate>& updates, const BaselineStore& store, const Streams& streams);

}  // namespace allocgate

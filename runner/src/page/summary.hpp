// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "json/stack_documents.hpp"
#include "stacks/recording.hpp"
#include "stacks/stack_diff.hpp"

#include <string>

// What the page says without its script: a screen reader, a printer and a browser without JavaScript have it too.
namespace allocgate {

/// The totals of each measure and what the lists hold, as HTML; everything that came from outside is escaped.
std::string difference_summary(const StackDiff& diff, const Recording& before, const Recording& after,
                               const DiffNames& names);

/// The same of the recording that is `after` in a difference from nothing.
std::string recording_summary(const StackDiff& diff, const Recording& recording, const std::string& name);

}  // namespace allocgate

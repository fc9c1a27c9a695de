// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/verdict.hpp"
#include "stacks/stack_diff.hpp"

#include <optional>

namespace allocgate {

/// Where to look first: of the row that grew most (shrank most, where nothing grew) the innermost frame whose source is
/// the project's own; where none is, one that is at least not below /usr, or else any. Nothing when no listed row knows
/// a source.
std::optional<SourcePlace> changed_place(const StackDiff& diff);

}  // namespace allocgate

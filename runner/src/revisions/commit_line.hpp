// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "revisions/repository.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

// Which commits lie between two, in the orders in which they are searched.
namespace allocgate {

/// `good` and then every commit on the first-parent line of `bad` that `good` does not have, the oldest first. Throws
/// Error (64) when `good` is not an ancestor of `bad`, with their merge base, or when they are the same.
std::vector<Revision> commits_between(const Repository& repository, const Revision& good, const Revision& bad);

/// What `merge` brought into the line of its first parent by its parent number `parent` (1 or more): where that branch
/// left the line, and then its commits, the oldest first. Nothing when they have no commit in common.
std::optional<std::vector<Revision>> merged_branch(const Repository& repository, const Revision& merge,
                                                   std::size_t parent);

/// The commits that `bad` has and no one of `good` has, the oldest first.
std::vector<Revision> commits_without(const Repository& repository, const std::string& bad,
                                      const std::vector<std::string>& good, bool first_parent);

/// Git's own choice (`git rev-list --bisect-all`): the commit of those that `bad` has and no one of `good` has, which
/// halves them best; `bad` itself and `passed_over` are never chosen. Nothing when no other is left.
std::optional<Revision> halving_commit(const Repository& repository, const std::vector<std::string>& good,
                                       const std::string& bad, const std::set<std::string>& passed_over,
                                       bool first_parent);

}  // namespace allocgate

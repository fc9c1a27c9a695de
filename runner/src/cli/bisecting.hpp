// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/built_options.hpp"
#include "cli/line_search.hpp"
#include "cli/streams.hpp"
#include "model/bisection.hpp"
#include "revisions/repository.hpp"

#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// The two ends of a search, by name.
struct SearchEnds {
  std::string good;
  std::string bad;
};

/// How commits are searched.
struct CommitSearch {
  bool first_only = false;    // the first bad one alone, by git's own choice of commits
  bool first_parent = false;  // a merge is one step, whatever its branch did
};

/// Searches the commits from good to bad. Every step of the first-parent line, and, where a merge changed the value,
/// those of the branch that it brought, as far as they add up to what the merge changed. Throws Error: 64 the ends are
/// no line; 3 an end cannot be measured; and as RevisionMeasurer does.
Bisection bisect_commits(const Repository& repository, const SearchEnds& ends, const CommitSearch& how,
                         const FollowedMeasure& followed, LineSearch& search);

/// Searches toolchains, in the order in which they were given, with `revision` built by each. An end that is not named
/// is the first or the last. Throws Error as above.
Bisection bisect_toolchains(const Revision& revision, const std::vector<NamedVariables>& toolchains,
                            const SearchEnds& ends, const FollowedMeasure& followed, LineSearch& search);

}  // namespace allocgate

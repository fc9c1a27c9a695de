// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/commit_line.hpp"

#include "base/error.hpp"
#include "process/run_git.hpp"

#include <fmt/format.h>

#include <sstream>

namespace allocgate {

namespace {

std::optional<std::string> merge_base(const Repository& repository, const std::string& left, const std::string& right) {
  const GitAnswer answer = run_git({"merge-base", left, right}, repository.top(), repository.launcher());
  return answer.ok ? std::optional(answer.text) : std::nullopt;
}

/// `begin`, and what the first-parent line of `end` has beyond it.
std::vector<Revision> line_from(const Repository& repository, const Revision& begin, const std::string& end) {
  std::vector<Revision> line =
      repository.commits({"--first-parent", "--reverse", fmt::format("{}..{}", begin.commit, end)});
  line.insert(line.begin(), begin);
  return line;
}

/// `words`, and then what `bad` has and no one of `good`.
std::vector<std::string> range_of(std::vector<std::string> words, const std::string& bad,
                                  const std::vector<std::string>& good, bool first_parent) {
  if (first_parent) {
    words.emplace_back("--first-parent");
  }
  words.push_back(bad);
  for (const std::string& commit : good) {
    words.push_back("^" + commit);
  }
  return words;
}

}  // namespace

std::vector<Revision> commits_between(const Repository& repository, const Revision& good, const Revision& bad) {
  if (good.commit == bad.commit) {
    throw Error(ExitCode::usage,
                fmt::format("the good and the bad end are the same commit, {} \"{}\": there is nothing between them",
                            short_commit(good.commit), good.subject));
  }
  const std::optional<std::string> base = merge_base(repository, good.commit, bad.commit);
  if (!base || *base != good.commit) {
    throw Error(ExitCode::usage, fmt::format("the good end {} is no ancestor of the bad end {}{}",
                                             short_commit(good.commit), short_commit(bad.commit),
                                             base ? fmt::format("; their histories parted at {}: take that as --good",
                                                                short_commit(*base))
                                                  : std::string("; they have no commit in common")));
  }
  return line_from(repository, good, bad.commit);
}

std::optional<std::vector<Revision>> merged_branch(const Repository& repository, const Revision& merge,
                                                   std::size_t parent) {
  const std::string& branch = merge.parents.at(parent);
  const std::optional<std::string> base = merge_base(repository, merge.parents.front(), branch);
  if (!base) {
    return std::nullopt;
  }
  return line_from(repository, repository.resolve(*base), branch);
}

std::vector<Revision> commits_without(const Repository& repository, const std::string& bad,
                                      const std::vector<std::string>& good, bool first_parent) {
  return repository.commits(range_of({"--reverse"}, bad, good, first_parent));
}

std::optional<Revision> halving_commit(const Repository& repository, const std::vector<std::string>& good,
                                       const std::string& bad, const std::set<std::string>& passed_over,
                                       bool first_parent) {
  const std::vector<std::string> arguments = range_of({"rev-list", "--bisect-all"}, bad, good, first_parent);
  // One line a commit, the best first: its digits, then "(dist=N)".
  std::istringstream lines(repository.ask(arguments, "choose a commit"));
  for (std::string line; std::getline(lines, line);) {
    const std::string commit = line.substr(0, line.find(' '));
    if (commit != bad && !passed_over.contains(commit)) {
      return repository.resolve(commit);
    }
  }
  return std::nullopt;
}

}  // namespace allocgate

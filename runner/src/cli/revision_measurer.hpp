// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/revision_memory.hpp"
#include "cli/streams.hpp"
#include "model/result.hpp"
#include "revisions/repository.hpp"
#include "revisions/revision_cache.hpp"
#include "revisions/worktree.hpp"
#include "stacks/recording.hpp"

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// How revisions are built, as the options of `bisect` and `matrix` say.
struct BuildPlan {
  std::string build;      // a shell line
  std::string setup;      // a shell line, once in each work tree before its first build; may be empty
  std::string worktrees;  // a folder; empty: one of the user's cache
  std::optional<std::chrono::milliseconds> timeout;  // of a build
  bool measure_again = false;                        // nothing is believed from memory
  unsigned jobs = 1;                                 // built and measured at the same time
  bool measures = true;                              // false: stacks are wanted alone
  std::vector<std::string> recorded;                 // names of workloads whose call stacks are wanted, too
};

/// Something to build and measure: a revision with a toolchain.
struct BuiltPlace {
  Revision revision;
  std::string toolchain;     // empty: the caller's own environment
  std::string worktree;      // what its work tree is called; empty: by the toolchain
  BuildVariables variables;  // what the toolchain sets

  /// `1a2b3c4d5e "Answer with a copy"`, and the toolchain's name where it has one.
  [[nodiscard]] std::string in_words() const;
};

/// What became of it.
struct PlaceOutcome {
  std::optional<Result> result;  // of the workloads that it has; absent when it was not built
  std::string reason;            // absent: why
  /// Of the workloads in BuildPlan::recorded, by name, with source files relative to the root of the revision.
  std::map<std::string, std::shared_ptr<Recording>> stacks;
  std::map<std::string, std::string> stacks_missing;  // why there are none
  bool from_memory = false;
  bool built = false;  // a build ran, however it ended
};

/// Builds revisions in work trees of its own, measures their workloads and remembers both, for as long as nothing
/// changes on which they depend. The user's work tree is not touched. A work tree serves one toolchain, because what
/// configured a build keeps the compiler. One thread calls it; it uses several.
class RevisionMeasurer {
public:
  /// `command` names the caller in messages. Throws Error as RevisionMemory does.
  RevisionMeasurer(const Repository& repository, BuildPlan plan, const MeasuringOptions& measuring,
                   const LoadedConfiguration& here, std::string command, const Streams& streams);

  /// Each of `places`, in their order; says on `streams.err` what it builds. Throws Error: 130 interrupted; 3 another
  /// allocgate works in a work tree; 64 nothing to measure.
  std::vector<PlaceOutcome> measure(std::span<const BuiltPlace> places);

  /// The same, and nothing is recalled: other processes of the same places.
  std::vector<PlaceOutcome> measure_again(std::span<const BuiltPlace> places);

private:
  struct Toolchain {
    std::string compiler;  // "gcc 12.2"; empty: unknown or the caller's own
    std::unique_ptr<RevisionMemory> memory;
    std::vector<std::unique_ptr<Worktree>> idle;  // checked out and ready for the next one
    std::size_t worktrees = 0;
  };

  std::vector<PlaceOutcome> measure_each(std::span<const BuiltPlace> places, bool recalls);
  [[nodiscard]] Toolchain& toolchain_of(const BuiltPlace& place);
  [[nodiscard]] std::optional<PlaceOutcome> recalled(const BuiltPlace& place, const Toolchain& toolchain) const;
  [[nodiscard]] PlaceOutcome build_and_measure(const BuiltPlace& place, Toolchain& toolchain);
  [[nodiscard]] Result measure_in(const Worktree& worktree, const Toolchain& toolchain);
  void record_in(const Worktree& worktree, PlaceOutcome& outcome);
  void keep(const BuiltPlace& place, const Toolchain& toolchain, const PlaceOutcome& outcome);
  /// A work tree that nobody uses; one that is new is set up first.
  [[nodiscard]] std::unique_ptr<Worktree> take_worktree(const BuiltPlace& place, Toolchain& toolchain);
  void say(const std::string& sentence);

  const Repository& m_repository;
  BuildPlan m_plan;
  MeasuringOptions m_measuring;
  LoadedConfiguration m_here;
  std::string m_command;
  const Streams& m_streams;
  RevisionCache m_cache;
  std::vector<std::string> m_suites;
  std::map<std::string, Toolchain> m_toolchains;
  std::mutex m_mutex;  // of the toolchains' work trees and of the stream
};

}  // namespace allocgate

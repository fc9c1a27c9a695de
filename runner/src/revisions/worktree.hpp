// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/descriptor.hpp"
#include "revisions/repository.hpp"

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

namespace allocgate {

/// A work tree of our own beside the user's, in which revisions are built and measured. It stays after this object, so
/// that the next build there has less to do. Locked meanwhile: two allocgates never build in one. One thread.
class Worktree {
public:
  /// The work tree `folder`, made by the first check_out. Throws Error (3) when another allocgate works there, 1 when
  /// the folder cannot be made.
  Worktree(const Repository& repository, std::filesystem::path folder);

  /// Brings every tracked file to `revision`; removes what is neither tracked nor ignored, and leaves ignored files,
  /// which as a rule are an earlier build. Throws Error (1) with what git said.
  void check_out(const Revision& revision);

  /// Absolute.
  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
  [[nodiscard]] bool is_ours() const;
  void git(const std::vector<std::string>& arguments, const std::filesystem::path& folder) const;

  const Repository& m_repository;
  std::filesystem::path m_path;
  Descriptor m_lock;
};

/// How a build ended. A build that fails is an expected outcome.
struct BuildOutcome {
  bool ok = false;
  bool ended_by_itself = false;  // neither ended by a signal nor by its time
  std::string reason;            // not ok: one sentence with the last lines and the log's name
  std::filesystem::path log;     // all that it printed
};

/// Variables that a build is given beside the caller's own: a toolchain, as a rule.
using BuildVariables = std::map<std::string, std::string>;

/// Runs `command`, a shell line, at the root of `worktree` with the caller's environment, in which git belongs to no
/// repository and ccache takes paths below the root as relative (unless its base folder is above): so one tree's
/// objects serve the other. What it prints goes to a file beside the work tree. Throws Error (130) when interrupted.
BuildOutcome build(const Worktree& worktree, const std::string& command, const BuildVariables& variables,
                   std::optional<std::chrono::milliseconds> timeout, Launcher& launcher);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/launcher.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace allocgate {

/// One commit.
struct Revision {
  std::string commit;   // 40 hexadecimal digits
  std::string subject;  // the first line of its message
  std::string date;     // of the committer, RFC 3339
  std::vector<std::string> parents;
  bool of_work_tree = false;  // made of what lies in the work tree, on no branch
};

/// The first digits of a commit, for people.
std::string short_commit(const std::string& commit);

/// The git repository around a folder. Reads it, and changes neither work tree, index nor references: what it adds are
/// loose objects, which git removes in its own time. One thread.
class Repository {
public:
  /// Throws Error (64) when `folder` (empty: the working directory) lies in no work tree, 1 when there is no git.
  Repository(const std::filesystem::path& folder, Launcher& launcher);

  /// The root of the work tree, absolute.
  [[nodiscard]] const std::filesystem::path& top() const { return m_top; }
  /// The folder that all work trees of the repository share.
  [[nodiscard]] const std::filesystem::path& common_folder() const { return m_common_folder; }

  /// `file`, relative to the working directory or absolute, as seen from the root of any work tree; absolute and as it
  /// is when it does not lie in this one.
  [[nodiscard]] std::filesystem::path in_any_work_tree(const std::filesystem::path& file) const;

  /// What git calls `name`; "NAME..." is where HEAD left it (their merge base). Throws Error (64) with the nearest
  /// branch or tag.
  [[nodiscard]] Revision resolve(const std::string& name) const;

  /// The same, and "." is the work tree as it is.
  [[nodiscard]] Revision named(const std::string& name) const;

  /// The work tree as it is, ignored files left out: HEAD when nothing differs, else a commit on top of it which is the
  /// same for the same content. Throws Error (1) when git cannot make it.
  [[nodiscard]] Revision of_work_tree() const;

  /// The commit `base` with the changes of `patch`, a file that `git apply` takes, on top of it: the same commit for
  /// the same content. Throws Error (64) with git's words when it does not apply.
  [[nodiscard]] Revision with_patch(const Revision& base, const std::filesystem::path& patch) const;

  /// The commits that `git log` lists for `arguments`, in its order. Throws Error (1) as ask() does.
  [[nodiscard]] std::vector<Revision> commits(const std::vector<std::string>& arguments) const;

  /// What git writes for `arguments` at the root of the work tree. Throws Error (1) that says what could not be done
  /// ("list branches") and what git said.
  [[nodiscard]] std::string ask(const std::vector<std::string>& arguments, const char* what) const;

  [[nodiscard]] Launcher& launcher() const { return m_launcher; }

private:
  [[nodiscard]] Revision describe(const std::string& commit) const;
  /// A commit on top of `base` that is the same for the same tree.
  [[nodiscard]] Revision commit_on(const Revision& base, const std::string& tree, const std::string& subject) const;

  Launcher& m_launcher;
  std::filesystem::path m_top;
  std::filesystem::path m_common_folder;
};

}  // namespace allocgate

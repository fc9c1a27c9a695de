// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/repository.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "process/environment.hpp"
#include "process/private_folder.hpp"
#include "process/run_git.hpp"

#include <fmt/format.h>

#include <chrono>
#include <sstream>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t k_short_digits = 10;
constexpr std::chrono::minutes k_timeout{10};  // of what reads a whole work tree

/// Where two histories parted, as `git diff A...` has it.
constexpr std::string_view k_merge_base_suffix = "...";

}  // namespace

std::string short_commit(const std::string& commit) {
  return commit.substr(0, k_short_digits);
}

Repository::Repository(const fs::path& folder, Launcher& launcher) : m_launcher(launcher) {
  const GitAnswer top = run_git({"rev-parse", "--show-toplevel"}, folder, launcher);
  if (!top.installed) {
    throw Error(ExitCode::internal_error, fmt::format("revisions need git: {}; install git", top.reason));
  }
  if (!top.ok) {
    throw Error(ExitCode::usage,
                fmt::format("no revisions here: '{}' lies in no git work tree: {}",
                            folder.empty() ? fs::current_path().string() : folder.string(), top.reason));
  }
  m_top = top.text;
  m_common_folder = ask({"rev-parse", "--path-format=absolute", "--git-common-dir"}, "find the repository");
}

fs::path Repository::in_any_work_tree(const fs::path& file) const {
  std::error_code error;
  const fs::path whole = fs::weakly_canonical(fs::absolute(file, error), error);
  const fs::path relative = whole.lexically_relative(fs::weakly_canonical(m_top, error));
  return relative.empty() || *relative.begin() == ".." ? whole : relative;
}

std::string Repository::ask(const std::vector<std::string>& arguments, const char* what) const {
  GitAnswer answer = run_git(arguments, m_top, m_launcher, k_timeout);
  if (!answer.ok) {
    throw Error(ExitCode::internal_error, fmt::format("cannot {}: 'git {}' in '{}' failed: {}", what, arguments.front(),
                                                      m_top.string(), answer.reason));
  }
  return std::move(answer.text);
}

Revision Repository::describe(const std::string& commit) const {
  const std::string text = ask({"show", "--no-patch", "--format=%H%n%cI%n%s", commit}, "read a commit");
  std::istringstream lines(text);
  Revision revision;
  std::getline(lines, revision.commit);
  std::getline(lines, revision.date);
  std::getline(lines, revision.subject);
  return revision;
}

Revision Repository::resolve(const std::string& name) const {
  std::string plain = name;
  const bool merge_base = plain.size() > k_merge_base_suffix.size() && plain.ends_with(k_merge_base_suffix);
  if (merge_base) {
    plain.resize(plain.size() - k_merge_base_suffix.size());
  }
  const GitAnswer found =
      run_git({"rev-parse", "--verify", "-q", "--end-of-options", plain + "^{commit}"}, m_top, m_launcher);
  if (!found.ok) {
    std::istringstream lines(
        ask({"for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags", "refs/remotes"}, "list branches"));
    std::vector<std::string> names;
    for (std::string line; std::getline(lines, line);) {
      names.push_back(line);
    }
    throw Error(ExitCode::usage, fmt::format("there is no revision '{}' in '{}'{}; a shallow clone may not have it "
                                             "(git fetch --unshallow)",
                                             plain, m_top.string(), did_you_mean(plain, names)));
  }
  if (!merge_base) {
    return describe(found.text);
  }
  const GitAnswer base = run_git({"merge-base", found.text, "HEAD"}, m_top, m_launcher);
  if (!base.ok) {
    throw Error(ExitCode::usage, fmt::format("'{}' and HEAD have no common commit in '{}'; a shallow clone may not "
                                             "have it (git fetch --unshallow)",
                                             plain, m_top.string()));
  }
  return describe(base.text);
}

Revision Repository::of_work_tree() const {
  const Revision head = resolve("HEAD");
  if (ask({"status", "--porcelain"}, "see what changed").empty()) {
    return head;
  }
  // In an index of our own: the user's index, references and files stay as they are.
  const PrivateFolder folder;
  Environment environment = Environment::inherited();
  environment.set("GIT_INDEX_FILE", (folder.path() / "index").string());
  const auto git = [&](const std::vector<std::string>& arguments) {
    GitAnswer answer = run_git(arguments, m_top, environment, m_launcher, k_timeout);
    if (!answer.ok) {
      throw Error(ExitCode::internal_error, fmt::format("cannot take a copy of the work tree '{}': 'git {}' failed: {}",
                                                        m_top.string(), arguments.front(), answer.reason));
    }
    return std::move(answer.text);
  };
  std::error_code ignored;  // without a copy git reads every file again, which is slower and the same
  fs::copy_file(ask({"rev-parse", "--path-format=absolute", "--git-path", "index"}, "find the index"),
                folder.path() / "index", ignored);
  git({"add", "--all"});
  const std::string tree = git({"write-tree"});
  // The same content makes the same commit, so that its result can be remembered.
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    environment.set(fmt::format("GIT_{}_NAME", who), "allocgate");
    environment.set(fmt::format("GIT_{}_EMAIL", who), "allocgate@localhost");
    environment.set(fmt::format("GIT_{}_DATE", who), head.date);
  }
  Revision revision = describe(git({"commit-tree", tree, "-p", head.commit, "-m", "what is not committed yet"}));
  revision.of_work_tree = true;
  return revision;
}

}  // namespace allocgate

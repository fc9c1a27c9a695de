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

/// Git with an index of our own: the user's index, references and files stay as they are.
class OwnIndex {
public:
  OwnIndex(const Repository& repository, const char* what)
      : m_repository(repository), m_what(what), m_environment(Environment::inherited()) {
    m_environment.set("GIT_INDEX_FILE", file().string());
  }

  [[nodiscard]] fs::path file() const { return m_folder.path() / "index"; }

  [[nodiscard]] GitAnswer try_git(const std::vector<std::string>& arguments) const {
    return run_git(arguments, m_repository.top(), m_environment, m_repository.launcher(), k_timeout);
  }

  std::string git(const std::vector<std::string>& arguments) const {
    GitAnswer answer = try_git(arguments);
    if (!answer.ok) {
      throw Error(ExitCode::internal_error, fmt::format("cannot {} in '{}': 'git {}' failed: {}", m_what,
                                                        m_repository.top().string(), arguments.front(), answer.reason));
    }
    return std::move(answer.text);
  }

private:
  const Repository& m_repository;
  const char* m_what;
  PrivateFolder m_folder;
  Environment m_environment;
};

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

std::vector<Revision> Repository::commits(const std::vector<std::string>& arguments) const {
  // Four lines a commit, whatever the user's configuration adds to a log.
  std::vector<std::string> words = {"log", "--no-show-signature", "--no-notes", "--format=%H%n%P%n%cI%n%s"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  words.emplace_back("--");
  std::istringstream lines(ask(words, "list commits"));
  std::vector<Revision> revisions;
  for (std::string commit; std::getline(lines, commit);) {
    Revision revision;
    revision.commit = commit;
    std::string parents;
    std::getline(lines, parents);
    std::istringstream each(parents);
    for (std::string parent; each >> parent;) {
      revision.parents.push_back(parent);
    }
    std::getline(lines, revision.date);
    std::getline(lines, revision.subject);
    revisions.push_back(std::move(revision));
  }
  return revisions;
}

Revision Repository::describe(const std::string& commit) const {
  return commits({"--max-count=1", commit}).front();
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

Revision Repository::named(const std::string& name) const {
  return name == "." ? of_work_tree() : resolve(name);
}

Revision Repository::of_work_tree() const {
  const Revision head = resolve("HEAD");
  if (ask({"status", "--porcelain"}, "see what changed").empty()) {
    return head;
  }
  const OwnIndex index(*this, "take a copy of the work tree");
  std::error_code ignored;  // without a copy git reads every file again, which is slower and the same
  const fs::path users = ask({"rev-parse", "--path-format=absolute", "--git-path", "index"}, "find the index");
  fs::copy_file(users, index.file(), ignored);
  // Git reads files again that are as young as the index; a younger copy would hide what changed in the same instant.
  fs::last_write_time(index.file(), fs::last_write_time(users, ignored), ignored);
  index.git({"add", "--all"});
  Revision revision = commit_on(head, index.git({"write-tree"}), "what is not committed yet");
  revision.of_work_tree = true;
  return revision;
}

Revision Repository::with_patch(const Revision& base, const fs::path& patch) const {
  std::error_code error;
  const fs::path file = fs::absolute(patch, error);
  if (!fs::is_regular_file(file, error)) {
    throw Error(ExitCode::usage, fmt::format("there is no patch '{}'; it is a file that 'git diff' or 'git "
                                             "format-patch' wrote",
                                             patch.string()));
  }
  const OwnIndex index(*this, "apply a patch");
  index.git({"read-tree", base.commit});
  const GitAnswer applied = index.try_git({"apply", "--cached", file.string()});
  if (!applied.ok) {
    throw Error(ExitCode::usage, fmt::format("the patch '{}' does not apply to {} \"{}\": {}", patch.string(),
                                             short_commit(base.commit), base.subject, applied.reason));
  }
  return commit_on(base, index.git({"write-tree"}), fmt::format("with {}", patch.filename().string()));
}

Revision Repository::commit_on(const Revision& base, const std::string& tree, const std::string& subject) const {
  // The same content makes the same commit, so that its result can be remembered.
  Environment environment = Environment::inherited();
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    environment.set(fmt::format("GIT_{}_NAME", who), "allocgate");
    environment.set(fmt::format("GIT_{}_EMAIL", who), "allocgate@localhost");
    environment.set(fmt::format("GIT_{}_DATE", who), base.date);
  }
  const GitAnswer made =
      run_git({"commit-tree", tree, "-p", base.commit, "-m", subject}, m_top, environment, m_launcher, k_timeout);
  if (!made.ok) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot make a commit in '{}': 'git commit-tree' failed: {}", m_top.string(), made.reason));
  }
  return describe(made.text);
}

}  // namespace allocgate

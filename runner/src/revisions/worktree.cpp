// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/worktree.hpp"

#include "base/error.hpp"
#include "process/environment.hpp"
#include "process/printable.hpp"
#include "process/run_git.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::minutes k_checkout_timeout{30};
constexpr std::size_t k_shown_lines = 20;

/// What belongs to a work tree and must not lie in it, because a check-out would remove it.
fs::path beside(const fs::path& folder, const char* suffix) {
  return folder.parent_path() / (folder.filename().string() + suffix);
}

Descriptor lock(const fs::path& folder) {
  const fs::path file = beside(folder, ".lock");
  std::error_code error;
  fs::create_directories(folder.parent_path(), error);
  Descriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!descriptor.is_open()) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot make a work tree in '{}': '{}': {}; name a folder with --worktrees",
                            folder.parent_path().string(), file.string(), std::strerror(errno)));
  }
  if (::flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) {
    throw Error(ExitCode::not_measured, fmt::format("another allocgate works in '{}'; wait for it, or name another "
                                                    "folder with --worktrees",
                                                    folder.string()));
  }
  return descriptor;
}

Environment environment_elsewhere() {
  Environment environment = Environment::inherited();
  forget_repository(environment);
  return environment;
}

/// Whether paths below `root` are relative ones to a ccache with this base folder.
bool covers(const std::optional<std::string>& base, const fs::path& root) {
  const fs::path relative = root.lexically_relative(base.value_or(""));
  return !relative.empty() && *relative.begin() != "..";
}

std::string last_lines_of(const fs::path& file) {
  std::ifstream stream(file);
  std::deque<std::string> lines;
  for (std::string line; std::getline(stream, line);) {
    lines.push_back(printable(line));
    if (lines.size() > k_shown_lines) {
      lines.pop_front();
    }
  }
  std::string text;
  for (const std::string& line : lines) {
    text += "\n  | " + line;
  }
  return text;
}

std::string end_in_words(const LaunchOutcome& outcome) {
  switch (outcome.kind) {
    case LaunchOutcome::Kind::exited:
      return fmt::format("it ended with {}", outcome.exit_code);
    case LaunchOutcome::Kind::signalled:
      return fmt::format("it was ended by signal {}", outcome.signal);
    case LaunchOutcome::Kind::timed_out:
      return "it did not end in time and was ended";
    case LaunchOutcome::Kind::not_found:
    case LaunchOutcome::Kind::not_executable:
      break;
  }
  return outcome.reason;
}

}  // namespace

Worktree::Worktree(const Repository& repository, fs::path folder)
    : m_repository(repository), m_path(std::move(folder)), m_lock(lock(m_path)) {}

void Worktree::git(const std::vector<std::string>& arguments, const fs::path& folder) const {
  const GitAnswer answer =
      run_git(arguments, folder, environment_elsewhere(), m_repository.launcher(), k_checkout_timeout);
  if (!answer.ok) {
    throw Error(ExitCode::internal_error, fmt::format("cannot prepare the work tree '{}': 'git {}' failed: {}",
                                                      m_path.string(), arguments.front(), answer.reason));
  }
}

bool Worktree::is_ours() const {
  const GitAnswer answer = run_git({"rev-parse", "--path-format=absolute", "--git-common-dir", "--show-toplevel"},
                                   m_path, environment_elsewhere(), m_repository.launcher(), k_checkout_timeout);
  std::error_code error;
  return answer.ok && answer.text == fmt::format("{}\n{}", m_repository.common_folder().string(),
                                                 fs::canonical(m_path, error).string());
}

void Worktree::check_out(const Revision& revision) {
  std::error_code error;
  if (!fs::exists(m_path, error) || fs::is_empty(m_path, error)) {
    git({"worktree", "add", "--quiet", "--force", "--detach", m_path.string(), revision.commit}, m_repository.top());
    return;
  }
  if (!is_ours()) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot check out in '{}': it is there and is no work tree of '{}'; remove it, or name "
                            "another folder with --worktrees",
                            m_path.string(), m_repository.top().string()));
  }
  git({"checkout", "--quiet", "--force", "--detach", revision.commit}, m_path);
  git({"clean", "--quiet", "--force", "-d"}, m_path);
}

BuildOutcome build(const Worktree& worktree, const std::string& command, const BuildVariables& variables,
                   std::optional<std::chrono::milliseconds> timeout, Launcher& launcher) {
  BuildOutcome result;
  result.log = beside(worktree.path(), ".build.log");
  Environment environment = environment_elsewhere();
  for (const auto& [name, value] : variables) {
    environment.set(name, value);
  }
  if (!covers(environment.get("CCACHE_BASEDIR"), worktree.path())) {
    environment.set("CCACHE_BASEDIR", worktree.path().string());
    environment.set("CCACHE_NOHASHDIR", "true");
  }
  LaunchSpec spec;
  spec.argv = {"/bin/sh", "-c", "exec >\"$1\" 2>&1; exec /bin/sh -c \"$2\"", "allocgate", result.log.string(), command};
  spec.environment = environment.entries();
  spec.working_directory = worktree.path();
  spec.timeout = timeout;
  const LaunchOutcome outcome = launcher.launch(spec);
  result.ended_by_itself = outcome.kind == LaunchOutcome::Kind::exited;
  result.ok = result.ended_by_itself && outcome.exit_code == 0;
  if (!result.ok) {
    result.reason =
        fmt::format("'{}' in '{}' failed: {}; all it printed is in '{}'{}", command, worktree.path().string(),
                    end_in_words(outcome), result.log.string(), last_lines_of(result.log));
  }
  return result;
}

}  // namespace allocgate

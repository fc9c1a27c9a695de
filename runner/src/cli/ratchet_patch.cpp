// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/ratchet_patch.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/measuring.hpp"
#include "compare/ratchet.hpp"
#include "json/documents.hpp"
#include "process/environment.hpp"
#include "process/launcher.hpp"
#include "process/private_folder.hpp"
#include "process/run_git.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <ostream>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds k_git_timeout{60};
constexpr const char* k_default_reason = "improvement kept by `allocgate check --on-improvement ratchet`";

/// Where names in a patch begin: the work tree that holds `folder`, else the working directory, else `folder` itself.
struct Root {
  fs::path path;
  bool is_work_tree = false;
};

Root root_of(const fs::path& folder) {
  std::error_code error;
  for (fs::path above = folder; above.has_relative_path(); above = above.parent_path()) {
    if (fs::exists(above / ".git", error)) {
      return {above, true};
    }
  }
  const fs::path here = fs::canonical(fs::current_path());
  const fs::path from_here = folder.lexically_relative(here);
  return {from_here.empty() || *from_here.begin() == ".." ? folder : here, false};
}

/// git compares and writes the format that it reads; it needs no repository for that.
std::string diff_of(const fs::path& name, const std::string& before, const std::string& after) {
  const PrivateFolder folder;
  write_file_atomically(folder.path() / "a" / name, before);
  write_file_atomically(folder.path() / "b" / name, after);
  // As the user's git is found, but not as it is set up: the patch must not depend on that.
  Environment environment = Environment::inherited();
  forget_repository(environment);
  environment.set("GIT_CONFIG_NOSYSTEM", "1");
  environment.set("GIT_CONFIG_GLOBAL", "/dev/null");
  environment.unset("GIT_DIFF_OPTS");
  environment.unset("GIT_CONFIG_COUNT");
  PosixLauncher launcher;
  const GitAnswer answer = run_git({"diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "--no-textconv",
                                    "--unified=3", (fs::path("a") / name).string(), (fs::path("b") / name).string()},
                                   folder.path(), environment, launcher, k_git_timeout);
  if (!answer.installed) {
    throw Error(ExitCode::internal_error,
                "cannot write the patch: it is made by git, and there is no git that starts; install it, or run "
                "`allocgate baseline update`");
  }
  // 1 says that the two differ, which they do.
  if (answer.exit_code != 1 || answer.output.empty()) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot write the patch: git diff failed: {}; run `allocgate baseline update` instead",
                            answer.reason));
  }
  return answer.output;
}

/// What precedes the first "diff --git" is text to both git and patch.
std::string preamble_of(const Judged& judged, const RatchetMark& mark) {
  std::string text = "Keep improvements in the baseline of allocations\n\n";
  for (const Verdict& verdict : judged.judgement.verdicts) {
    if (verdict.kind == VerdictKind::improvement) {
      text += fmt::format("{} {}: {} -> {}\n", on_one_line(verdict.workload), on_one_line(verdict.measure),
                          verdict_value_text(verdict.before, verdict.slope_before),
                          verdict_value_text(verdict.after, verdict.slope_after));
    }
  }
  text += fmt::format("\nReason: {}\n", on_one_line(mark.reason));
  text += mark.commit.empty() ? "" : fmt::format("Measured-at: {}\n", mark.commit);
  return text + "\n";
}

std::string line_to_apply(const Root& root, const fs::path& file) {
  if (root.is_work_tree) {
    return shell_quoted(std::array<std::string, 5>{"git", "-C", root.path.string(), "apply", file.string()});
  }
  return shell_quoted(std::array<std::string, 6>{"patch", "-d", root.path.string(), "-p1", "-i", file.string()});
}

}  // namespace

void write_ratchet_patch(const Judged& judged, const std::string& file, const std::string& reason,
                         const Streams& streams) {
  RatchetMark mark;
  mark.reason = reason.empty() ? k_default_reason : reason;
  if (judged.result.source) {
    mark.commit = judged.result.source->commit + (judged.result.source->dirty ? "-dirty" : "");
  }
  mark.time = now_text();
  const std::vector<Baseline> changed = ratchet(judged.baselines, judged.result, judged.judgement, mark);
  if (changed.empty()) {
    streams.err << "allocgate: nothing improved, so there is no patch to write\n";
    return;
  }
  const BaselineStore store(judged.folder);
  const Root root = root_of(fs::canonical(judged.folder));
  std::string patch = preamble_of(judged, mark);
  for (const Baseline& baseline : changed) {
    const fs::path kept = store.file_of(baseline.testbed.id, baseline.suite);
    patch += diff_of(fs::canonical(kept).lexically_relative(root.path), read_file(kept), baseline_to_json(baseline));
  }
  const fs::path target = fs::absolute(file.empty() ? fs::path(k_default_patch) : fs::path(file)).lexically_normal();
  write_file_atomically(target, patch);
  streams.err << fmt::format("allocgate: wrote {}, the baseline with {}; to take it over:\n  {}\n", target.string(),
                             counted(changed.size(), "improved file"), line_to_apply(root, target));
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/against_revision.hpp"

#include "base/error.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "cli/revision_memory.hpp"
#include "cli/revision_workloads.hpp"
#include "revisions/revision_cache.hpp"
#include "revisions/worktree.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ostream>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

/// One of the two sides: a revision, its work tree and what is measured there.
class Side {
public:
  Side(const Repository& repository, const RevisionCache& cache, const char* name, Revision revision)
      : m_repository(repository), m_name(name), m_revision(std::move(revision)), m_worktree(cache.worktree(name)) {}

  [[nodiscard]] const Revision& revision() const { return m_revision; }

  [[nodiscard]] std::string in_words() const {
    if (m_revision.of_work_tree) {
      return fmt::format("{}: the work tree with what is not committed yet", m_name);
    }
    return fmt::format("{}: {} {}", m_name, short_commit(m_revision.commit), m_revision.subject);
  }

  [[nodiscard]] LoadedConfiguration configuration(const LoadedConfiguration& here,
                                                  const std::vector<std::string>& suites) const {
    return configuration_in(m_worktree, m_repository, here, suites, "--against-rev");
  }

  /// Keeps the work tree locked from here on.
  void build_it(const BuildPlan& plan, const Streams& streams) {
    streams.err << fmt::format("allocgate: building {}\n", in_words()) << std::flush;
    m_lock.emplace(m_repository, m_worktree);
    m_lock->check_out(m_revision);
    const BuildOutcome outcome = build(*m_lock, plan.build, {}, plan.timeout, m_repository.launcher());
    if (!outcome.ok) {
      throw Error(ExitCode::not_measured, fmt::format("{} was not built: {}", in_words(), outcome.reason));
    }
  }

private:
  const Repository& m_repository;
  std::string m_name;
  Revision m_revision;
  fs::path m_worktree;
  std::optional<Worktree> m_lock;
};

/// Base is asked for what it has: a workload that only head has is a new one.
Result measure_base(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                    const Streams& streams) {
  PosixLauncher launcher;
  return measure_what_is_there(measuring, configuration, {}, streams, launcher);
}

/// What base could not give, so that head has nothing to be held against there.
void note_failures_of_base(const Result& base, Judgement& judgement) {
  for (const WorkloadResult& workload : base.workloads) {
    if (workload.status != WorkloadStatus::ok) {
      judgement.notes.push_back(fmt::format("base did not measure {}: {}", workload.name, workload.error));
    }
  }
}

bool is_red(const Judgement& judgement) {
  return judgement.exit_code != ExitCode::fine;
}

}  // namespace

void AgainstRevisionOptions::setup(CLI::App& app) {
  app.add_option("--against-rev", revision,
                 "Judge against this revision (REV... is where HEAD left it), built and measured here beside the work "
                 "tree as it is")
      ->type_name("REV");
  build.setup(app);
}

void AgainstRevisionOptions::check() const {
  if (revision.empty() && build.any()) {
    throw Error(ExitCode::usage, "--build, --worktrees, --measure-again and --build-timeout are for --against-rev");
  }
}

std::vector<std::string> AgainstRevisionOptions::as_arguments() const {
  if (revision.empty()) {
    return {};
  }
  std::vector<std::string> words{"--against-rev", revision};
  const std::vector<std::string> of_build = build.as_arguments();
  words.insert(words.end(), of_build.begin(), of_build.end());
  return words;
}

Judged judge_against_revision(const AgainstRevisionOptions& options, const MeasuringOptions& given,
                              const LoadedConfiguration& here, BaselineSource source, const JudgeOptions& judge_options,
                              const Streams& streams) {
  PosixLauncher launcher;
  const Repository repository({}, launcher);
  const BuildPlan plan = options.build.plan(here, "--against-rev");
  const RevisionCache cache(repository, plan.worktrees);
  Side base(repository, cache, "base", repository.resolve(options.revision));
  Side head(repository, cache, "head", repository.of_work_tree());
  const LoadedConfiguration base_configuration = base.configuration(here, given.suites);
  const LoadedConfiguration head_configuration = head.configuration(here, given.suites);
  MeasuringOptions measuring = given;
  measuring.suites.clear();  // they are in the configurations now
  source.suites.clear();
  RevisionMemory memory(cache, repository, plan.build, given, here, !plan.measure_again);

  std::optional<Result> base_result = memory.recall(base.revision());
  if (!base_result) {
    base.build_it(plan, streams);
    base_result = measure_base(measuring, base_configuration, streams);
    memory.keep(base.revision(), *base_result, streams);
  }
  source.base = *base_result;

  std::optional<Judged> judged;
  if (std::optional<Result> known = memory.recall(head.revision())) {
    judged = judge_result(std::move(*known), measuring.choice(), source, judge_options);
  }
  // Exact series that differ are measured again before they are called a regression; memory cannot do that.
  if (!judged || is_red(judged->judgement)) {
    head.build_it(plan, streams);
    judged = measure_and_judge(measuring, head_configuration, source, judge_options, streams);
    memory.keep(head.revision(), judged->result, streams);
  }
  std::vector<std::string>& notes = judged->judgement.notes;
  notes.insert(notes.begin(), {base.in_words(), head.in_words()});
  note_failures_of_base(*base_result, judged->judgement);
  return std::move(*judged);
}

}  // namespace allocgate

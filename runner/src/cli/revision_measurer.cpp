// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/revision_measurer.hpp"

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/for_each_index.hpp"
#include "cli/revision_workloads.hpp"
#include "cli/workload_stacks.hpp"
#include "process/environment.hpp"
#include "testbed/detect_compiler.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

namespace allocgate {

namespace {

/// A name for a folder: the toolchain's own where that is plain, and always told apart by its variables.
std::string folder_of(const BuiltPlace& place, std::size_t number) {
  if (!place.worktree.empty()) {
    return number == 0 ? place.worktree : fmt::format("{}-{}", place.worktree, number);
  }
  if (place.toolchain.empty()) {
    return fmt::format("build-{}", number);
  }
  std::string name;
  for (const char character : place.toolchain) {
    const bool plain = (character >= '0' && character <= '9') || (character >= 'a' && character <= 'z') ||
                       (character >= 'A' && character <= 'Z') || character == '-' || character == '.';
    name += plain ? character : '_';
  }
  std::string variables;
  for (const auto& [variable, value] : place.variables) {
    variables += fmt::format("{}={}\n", variable, value);
  }
  return fmt::format("build-{}-{}-{}", name, digest_of(variables).substr(0, 8), number);
}

MeasurementKey key_of(const BuiltPlace& place, const BuildPlan& plan, const CompilerFacts& compiler) {
  MeasurementKey more;
  for (const auto& [variable, value] : place.variables) {
    more["variable " + variable] = value;
  }
  if (!compiler.version_line.empty()) {
    more["compiler"] = compiler.version_line;
  }
  if (!plan.setup.empty()) {
    more["setup"] = plan.setup;
  }
  return more;
}

}  // namespace

std::string BuiltPlace::in_words() const {
  const std::string words = fmt::format("{} \"{}\"", short_commit(revision.commit), revision.subject);
  return toolchain.empty() ? words : fmt::format("{} with {}", words, toolchain);
}

RevisionMeasurer::RevisionMeasurer(const Repository& repository, BuildPlan plan, const MeasuringOptions& measuring,
                                   const LoadedConfiguration& here, std::string command, const Streams& streams)
    : m_repository(repository),
      m_plan(std::move(plan)),
      m_measuring(measuring),
      m_here(here),
      m_command(std::move(command)),
      m_streams(streams),
      m_cache(repository, m_plan.worktrees),
      m_suites(measuring.suites) {
  m_measuring.suites.clear();  // they are in the configuration of each work tree
}

std::vector<PlaceOutcome> RevisionMeasurer::measure(std::span<const BuiltPlace> places) {
  return measure_each(places, true);
}

std::vector<PlaceOutcome> RevisionMeasurer::measure_again(std::span<const BuiltPlace> places) {
  return measure_each(places, false);
}

std::vector<PlaceOutcome> RevisionMeasurer::measure_each(std::span<const BuiltPlace> places, bool recalls) {
  for (const BuiltPlace& place : places) {
    static_cast<void>(toolchain_of(place));  // before there are threads
  }
  std::vector<PlaceOutcome> outcomes(places.size());
  for_each_index(places.size(), m_plan.jobs, [&](std::size_t index) {
    const BuiltPlace& place = places[index];
    Toolchain& toolchain = toolchain_of(place);
    std::optional<PlaceOutcome> known = recalls ? recalled(place, toolchain) : std::nullopt;
    outcomes[index] = known ? std::move(*known) : build_and_measure(place, toolchain);
  });
  return outcomes;
}

RevisionMeasurer::Toolchain& RevisionMeasurer::toolchain_of(const BuiltPlace& place) {
  const std::lock_guard lock(m_mutex);
  const auto [entry, is_new] = m_toolchains.try_emplace(folder_of(place, 0));
  Toolchain& toolchain = entry->second;
  if (is_new) {
    Environment environment = Environment::inherited();
    for (const auto& [variable, value] : place.variables) {
      environment.set(variable, value);
    }
    const CompilerFacts compiler = detect_compiler(environment, m_repository.launcher());
    toolchain.compiler = compiler.name;
    MeasuringOptions asked = m_measuring;
    asked.suites = m_suites;
    toolchain.memory = std::make_unique<RevisionMemory>(m_cache, m_repository, m_plan.build, asked, m_here,
                                                        !m_plan.measure_again, key_of(place, m_plan, compiler));
  }
  return toolchain;
}

std::optional<PlaceOutcome> RevisionMeasurer::recalled(const BuiltPlace& place, const Toolchain& toolchain) const {
  PlaceOutcome outcome;
  outcome.from_memory = true;
  if (const auto failure = toolchain.memory->recall_failure(place.revision)) {
    outcome.reason = *failure;
    return outcome;
  }
  if (m_plan.measures) {
    outcome.result = toolchain.memory->recall(place.revision);
    if (!outcome.result) {
      return std::nullopt;
    }
  }
  for (const std::string& name : m_plan.recorded) {
    std::optional<Recording> recording = toolchain.memory->recall_stacks(place.revision, name);
    if (!recording) {
      return std::nullopt;
    }
    outcome.stacks[name] = std::make_shared<Recording>(std::move(*recording));
  }
  return outcome;
}

PlaceOutcome RevisionMeasurer::build_and_measure(const BuiltPlace& place, Toolchain& toolchain) {
  std::unique_ptr<Worktree> worktree = take_worktree(place, toolchain);
  say(fmt::format("building {}", place.in_words()));
  worktree->check_out(place.revision);
  PlaceOutcome outcome;
  outcome.built = true;
  const BuildOutcome built = build(*worktree, m_plan.build, place.variables, m_plan.timeout, m_repository.launcher());
  if (built.ok) {
    if (m_plan.measures) {
      outcome.result = measure_in(*worktree, toolchain);
    }
    record_in(*worktree, outcome);
  } else {
    outcome.reason = built.reason;
  }
  const std::lock_guard lock(m_mutex);
  if (built.ok || built.ended_by_itself) {
    keep(place, toolchain, outcome);
  }
  toolchain.idle.push_back(std::move(worktree));
  return outcome;
}

void RevisionMeasurer::keep(const BuiltPlace& place, const Toolchain& toolchain, const PlaceOutcome& outcome) {
  if (!outcome.reason.empty()) {
    toolchain.memory->keep_failure(place.revision, outcome.reason, m_streams);
  }
  if (outcome.result) {
    toolchain.memory->keep(place.revision, *outcome.result, m_streams);
  }
  for (const auto& [name, recording] : outcome.stacks) {
    toolchain.memory->keep_stacks(place.revision, name, *recording, m_streams);
  }
}

void RevisionMeasurer::record_in(const Worktree& worktree, PlaceOutcome& outcome) {
  if (m_plan.recorded.empty()) {
    return;
  }
  const LoadedConfiguration there = configuration_in(worktree.path(), m_repository, m_here, m_suites, m_command);
  for (const std::string& name : m_plan.recorded) {
    try {
      NamingOptions naming;
      naming.source_root = worktree.path();
      outcome.stacks[name] =
          std::make_shared<Recording>(recorded_workload(name, m_measuring, there, naming, m_repository.launcher()));
    } catch (const Error& error) {
      if (error.code() == ExitCode::interrupted) {
        throw;
      }
      outcome.stacks_missing[name] = error.what();
    }
  }
}

std::unique_ptr<Worktree> RevisionMeasurer::take_worktree(const BuiltPlace& place, Toolchain& toolchain) {
  std::unique_ptr<Worktree> worktree;
  {
    const std::lock_guard lock(m_mutex);
    if (!toolchain.idle.empty()) {
      worktree = std::move(toolchain.idle.back());
      toolchain.idle.pop_back();
      return worktree;
    }
    worktree = std::make_unique<Worktree>(m_repository, m_cache.worktree(folder_of(place, toolchain.worktrees++)));
    worktree->check_out(place.revision);  // one at a time: git adds them to one list
  }
  if (!m_plan.setup.empty()) {
    say(fmt::format("setting up {}", worktree->path().string()));
    const BuildOutcome ready = build(*worktree, m_plan.setup, place.variables, m_plan.timeout, m_repository.launcher());
    if (!ready.ok) {
      throw Error(ExitCode::not_measured, fmt::format("--setup failed, so nothing can be built: {}", ready.reason));
    }
  }
  return worktree;
}

void RevisionMeasurer::say(const std::string& sentence) {
  const std::lock_guard lock(m_mutex);
  m_streams.err << fmt::format("allocgate: {}\n", sentence) << std::flush;
}

Result RevisionMeasurer::measure_in(const Worktree& worktree, const Toolchain& toolchain) {
  const LoadedConfiguration there = configuration_in(worktree.path(), m_repository, m_here, m_suites, m_command);
  Streams quiet = m_streams;  // one bar in several threads would be many
  quiet.err_is_terminal = false;
  return measure_what_is_there(m_measuring, there, toolchain.compiler, quiet, m_repository.launcher());
}

}  // namespace allocgate

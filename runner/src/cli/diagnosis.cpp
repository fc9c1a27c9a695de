// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/diagnosis.hpp"

#include "base/error.hpp"
#include "base/text.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "process/find_program.hpp"
#include "process/preload.hpp"
#include "process/private_folder.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace allocgate {

namespace {

// Two runs that differ in nothing but this: what they share, start-up and reading of options, cancels out.
constexpr Count k_fewer_allocations = 1000;
constexpr Count k_more_allocations = 3000;
constexpr std::size_t k_probe_size = 24;

Finding ok(std::string subject, std::string sentence) {
  return {std::move(subject), Finding::State::ok, std::move(sentence)};
}

Finding missing(std::string subject, std::string sentence) {
  return {std::move(subject), Finding::State::missing, std::move(sentence)};
}

Finding absent(std::string subject, std::string sentence) {
  return {std::move(subject), Finding::State::absent, std::move(sentence)};
}

/// What `look` finds; an Error is the finding `failed` with its words. An interrupt is not a finding.
template <typename Look>
Finding guarded(const std::string& subject, Finding::State failed, const Look& look) {
  try {
    return look();
  } catch (const Error& error) {
    if (error.code() == ExitCode::interrupted) {
      throw;
    }
    return {subject, failed, error.what()};
  }
}

Count probe(Count allocations, const MeasureOptions& how, Launcher& launcher) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  const CommandResult result = measure_command({self, "doctor", "--probe", std::to_string(allocations)}, how, launcher);
  const auto counted_series = result.workload.measures.find("allocations");
  if (result.workload.status != WorkloadStatus::ok || counted_series == result.workload.measures.end()) {
    throw Error(ExitCode::not_measured,
                result.workload.error.empty() ? "the probe came back without a count" : result.workload.error);
  }
  return counted_series->second.median;
}

Finding look_at_counting(const std::string& allocator, const Installation& installation, Launcher& launcher) {
  const std::string subject = allocator == "system" ? "counting" : allocator;
  const Finding::State failed = allocator == "system" ? Finding::State::missing : Finding::State::absent;
  return guarded(subject, failed, [&] {
    MeasureOptions how;
    how.installation = installation;
    how.allocator = allocator;
    const Count expected = k_more_allocations - k_fewer_allocations;
    const Count seen = probe(k_more_allocations, how, launcher) - probe(k_fewer_allocations, how, launcher);
    if (seen != expected) {
      return Finding{
          subject, failed,
          fmt::format("a program made {} allocations and {} were counted; please report it with the system's "
                      "name and version",
                      grouped(expected), grouped(seen))};
    }
    return ok(subject, fmt::format("a program made {} allocations and exactly those were counted", grouped(expected)));
  });
}

Finding look_at_hooks(const Installation& installation) {
  return guarded("hooks", Finding::State::missing, [&] {
    require_hooks(installation);
    return ok("hooks", installation.hooks.string());
  });
}

Finding look_at_record_folder() {
  return guarded("record folder", Finding::State::missing, [] {
    const PrivateFolder folder;
    return ok("record folder", folder.path().parent_path().string() + " is writable");
  });
}

Finding look_at_suite(const Installation& installation, Launcher& launcher) {
  return guarded("suite", Finding::State::absent, [&] {
    const FoundWorkloads found = find_workloads({}, {}, installation, launcher);
    if (!found.unlistable.empty()) {
      return missing("suite", fmt::format("{}: {}", found.unlistable.front().name, found.unlistable.front().error));
    }
    return ok("suite", counted(found.workloads.size(), "workload") + " in " + installation.suite.string());
  });
}

Finding look_at_forwarder(const Installation& installation) {
  if (installation.forwarder.empty()) {
    return absent("forwarder",
                  "google-benchmark programs that do not link the adapter are counted as whole processes; "
                  "install allocgate as a whole");
  }
  return ok("forwarder", installation.forwarder.string());
}

Finding look_at_baseline(const std::filesystem::path& folder) {
  return guarded("baseline", Finding::State::missing, [&] {
    const BaselineStore store(folder);
    const std::string own = own_testbed("system", {}).id;
    std::size_t suites = 0;
    for (const BaselineStore::Entry& entry : store.entries()) {
      if (entry.testbed_id == own) {
        // A damaged file is found here, not in the middle of a check.
        suites += store.load(entry.testbed_id, entry.suite) ? 1 : 0;
      }
    }
    if (suites == 0) {
      return absent("baseline",
                    fmt::format("none for {} in {}; make it: allocgate baseline update --reason 'first baseline'", own,
                                folder.string()));
    }
    return ok("baseline", fmt::format("{} for {} in {}", counted(suites, "suite"), own, folder.string()));
  });
}

Finding look_at_git() {
  const char* path = std::getenv("PATH");
  const FoundProgram found = find_program("git", path == nullptr ? k_default_search_path : path);
  if (found.kind != FoundProgram::Kind::found) {
    return absent("git", "results do not name their commit; install git");
  }
  return ok("git", found.path.string());
}

}  // namespace

void make_known_allocations(std::uint64_t allocations) {
  // Through a volatile pointer, or the compiler would see that nothing needs the memory.
  void* (*volatile allocate)(std::size_t) = std::malloc;
  for (std::uint64_t i = 0; i < allocations; ++i) {
    std::free(allocate(k_probe_size));
  }
}

std::vector<Finding> diagnose(const Installation& installation, const std::filesystem::path& baselines,
                              Launcher& launcher) {
  std::vector<Finding> findings;
  findings.push_back(look_at_hooks(installation));
  findings.push_back(look_at_record_folder());
  findings.push_back(look_at_counting("system", installation, launcher));
  for (const char* allocator : {"mimalloc", "jemalloc", "tcmalloc"}) {
    findings.push_back(look_at_counting(allocator, installation, launcher));
  }
  findings.push_back(look_at_forwarder(installation));
  findings.push_back(look_at_suite(installation, launcher));
  findings.push_back(look_at_baseline(baselines));
  findings.push_back(look_at_git());
  findings.push_back(ok("privileges", "none needed: counting uses no ptrace and no performance counters"));
  return findings;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/revision_memory.hpp"

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "base/version.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "json/documents.hpp"
#include "process/environment.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

namespace allocgate {

namespace {

/// What decides the code that a build makes, beside the sources and the build line.
constexpr auto k_build_variables = std::to_array<const char*>({"PATH",
                                                               "LD_LIBRARY_PATH",
                                                               "CC",
                                                               "CXX",
                                                               "CPP",
                                                               "LD",
                                                               "AR",
                                                               "CFLAGS",
                                                               "CXXFLAGS",
                                                               "CPPFLAGS",
                                                               "LDFLAGS",
                                                               "CPATH",
                                                               "C_INCLUDE_PATH",
                                                               "CPLUS_INCLUDE_PATH",
                                                               "LIBRARY_PATH",
                                                               "PKG_CONFIG_PATH",
                                                               "CMAKE_PREFIX_PATH",
                                                               "CMAKE_GENERATOR",
                                                               "CMAKE_BUILD_TYPE",
                                                               "CMAKE_TOOLCHAIN_FILE",
                                                               "MAKEFLAGS",
                                                               "RUSTFLAGS",
                                                               "GOFLAGS"});

constexpr const char* k_all_names = "";
// No names of workloads read so.
constexpr const char* k_does_not_build = "\n";
constexpr const char* k_stacks_of = "\nstacks of ";

void add_program(MeasurementKey& key, const std::filesystem::path& file) {
  key["content of " + file.string()] = digest_of_file(file);
}

void add_workloads(MeasurementKey& key, const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                   const Repository& repository) {
  const std::vector<std::string>& suites = measuring.suites;
  for (const std::string& suite : suites) {
    const std::filesystem::path file = repository.in_any_work_tree(suite);
    key["suite " + file.string()] = "";
    if (file.is_absolute()) {
      add_program(key, file);
    }
  }
  if (suites.empty() && !configuration.file.empty() && std::filesystem::exists(configuration.file)) {
    key["configuration"] = read_file(configuration.file);
    key["configuration file"] = repository.in_any_work_tree(configuration.file).string();
  }
}

std::string words_of(const WorkloadChoice& choice) {
  std::string words = shell_quoted(choice.names);
  for (const std::string& core : choice.cores) {
    words += " --core " + shell_quoted(core);
  }
  return words;
}

bool is_whole(const Result& result) {
  return !result.workloads.empty() &&
         std::all_of(result.workloads.begin(), result.workloads.end(),
                     [](const WorkloadResult& workload) { return workload.status == WorkloadStatus::ok; });
}

}  // namespace

RevisionMemory::RevisionMemory(const RevisionCache& cache, const Repository& repository, const std::string& build,
                               const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                               bool recalls, const MeasurementKey& more)
    : m_cache(cache), m_names(words_of(measuring.choice())), m_recalls(recalls) {
  m_common["allocgate"] = std::string(version());
  m_common["build"] = build;
  for (const char* name : k_build_variables) {
    m_common[fmt::format("variable {}", name)] = own_variable(name).value_or("");
  }
  add_workloads(m_common, measuring, configuration, repository);
  m_common["measuring"] = fmt::format("iterations {} processes {} quick {} allocator {}", measuring.iterations,
                                      measuring.processes, measuring.quick, measuring.allocator);
  const Testbed testbed = own_testbed(measuring.allocator, {});
  for (const auto& [name, value] : testbed.fields) {
    m_common["testbed " + name] = value;
  }
  const Installation installation = own_installation();
  require_hooks(installation);
  add_program(m_common, installation.hooks);
  if (!installation.forwarder.empty()) {
    add_program(m_common, installation.forwarder);
  }
  for (const auto& [name, value] : more) {
    m_common[name] = value;
  }
}

MeasurementKey RevisionMemory::key_of(const Revision& revision, const std::string& names) const {
  MeasurementKey key = m_common;
  key["commit"] = revision.commit;
  key["names"] = names;
  return key;
}

std::optional<Result> RevisionMemory::recall(const Revision& revision) const {
  if (!m_recalls) {
    return std::nullopt;
  }
  std::optional<std::string> text = m_cache.find(key_of(revision, m_names));
  if (!text) {
    text = m_cache.find(key_of(revision, k_all_names));
  }
  if (!text) {
    return std::nullopt;
  }
  try {
    return result_from_json(*text, "what is remembered of " + revision.commit);
  } catch (const Error&) {
    return std::nullopt;  // damaged: measured again, and written anew
  }
}

void RevisionMemory::keep(const Revision& revision, const Result& result, const Streams& streams) const {
  if (!is_whole(result)) {
    return;
  }
  keep_text(key_of(revision, m_names), revision, result_to_json(result), streams);
}

std::optional<std::string> RevisionMemory::recall_failure(const Revision& revision) const {
  return m_recalls ? m_cache.find(key_of(revision, k_does_not_build)) : std::nullopt;
}

void RevisionMemory::keep_failure(const Revision& revision, const std::string& reason, const Streams& streams) const {
  keep_text(key_of(revision, k_does_not_build), revision, reason, streams);
}

std::optional<Recording> RevisionMemory::recall_stacks(const Revision& revision, const std::string& workload) const {
  if (!m_recalls) {
    return std::nullopt;
  }
  const auto file = m_cache.find_file(key_of(revision, k_stacks_of + workload));
  if (!file) {
    return std::nullopt;
  }
  try {
    return read_recording(*file);
  } catch (const Error&) {
    return std::nullopt;  // damaged: recorded again
  }
}

void RevisionMemory::keep_stacks(const Revision& revision, const std::string& workload, const Recording& recording,
                                 const Streams& streams) const {
  keep_text(key_of(revision, k_stacks_of + workload), revision, to_pprof(recording), streams);
}

void RevisionMemory::keep_text(const MeasurementKey& key, const Revision& revision, const std::string& text,
                               const Streams& streams) const {
  try {
    m_cache.remember(key, text);
  } catch (const Error& error) {
    streams.err << fmt::format("allocgate: {} is not remembered: {}\n", short_commit(revision.commit), error.what());
  }
}

}  // namespace allocgate

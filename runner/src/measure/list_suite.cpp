// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "base/file.hpp"
#include "json/suite_documents.hpp"
#include "measure/proof.hpp"
#include "measure/suite_listing.hpp"
#include "model/testbed.hpp"
#include "process/environment.hpp"
#include "process/executable.hpp"
#include "process/find_program.hpp"
#include "process/printable.hpp"
#include "process/private_folder.hpp"

#include <allocgate/suite_protocol.h>

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace allocgate {
namespace {

constexpr std::chrono::milliseconds k_listing_timeout{10'000};
constexpr const char* k_list_option = "--benchmark_list_tests=true";
constexpr std::string_view k_listing_name = "listing.json";
constexpr std::string_view k_shared_library = "libbenchmark.so";

[[noreturn]] void fail(const std::filesystem::path& program, std::string_view why) {
  throw Error(ExitCode::not_measured, fmt::format("cannot list the workloads of {}: {}", program.string(), why));
}

WorkloadInfo to_info(SuiteWorkload&& described, const std::filesystem::path& program) {
  WorkloadInfo info;
  info.name = std::move(described.name);
  info.suite = program.filename().string();
  info.program = program;
  info.kind = SuiteKind::adapter;
  info.core = std::move(described.core);
  info.core_version = std::move(described.core_version);
  info.exercises = std::move(described.exercises);
  info.iterations = described.iterations;
  info.threads = described.threads;
  info.gate = described.gate;
  info.depends_on = std::move(described.depends_on);
  info.does_not_depend_on = std::move(described.does_not_depend_on);
  info.layers = std::move(described.layers);
  if (!info.core.empty()) {
    info.depends_on.push_back(std::string(k_core_prefix) + info.core);
  }
  return info;
}

/// google-benchmark's own listing: one name a line.
std::vector<WorkloadInfo> from_names(std::string_view text, const std::filesystem::path& program, SuiteKind kind) {
  std::vector<WorkloadInfo> workloads;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) {
      WorkloadInfo info;
      info.name = printable(text.substr(0, end));
      info.suite = program.filename().string();
      info.program = program;
      info.kind = kind;
      workloads.push_back(std::move(info));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return workloads;
}

SuiteKind kind_of(const std::filesystem::path& program) {
  const std::vector<std::string> needed = inspect_executable(program).needed;
  const bool shared = std::any_of(needed.begin(), needed.end(),
                                  [](const std::string& library) { return library.starts_with(k_shared_library); });
  return shared ? SuiteKind::forwarded : SuiteKind::opaque;
}

}  // namespace

std::vector<WorkloadInfo> list_suite(const std::filesystem::path& program, Launcher& launcher) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(program, error);
  if (!std::filesystem::is_regular_file(absolute, error)) {
    const bool is_missing = !error || error == std::errc::no_such_file_or_directory;
    const bool is_other = std::filesystem::exists(absolute, error);
    const std::string why = is_other ? "it is no file" : is_missing ? "there is no such file" : error.message();
    throw Error(ExitCode::usage,
                fmt::format("no suite program {}: {}; build it, or name another with --suite", program.string(), why));
  }
  const PrivateFolder folder;
  const std::filesystem::path listing = folder.path() / k_listing_name;
  Environment environment = Environment::fixed();
  environment.set(ALLOCGATE_ENV_SUITE_LIST, listing.string());
  LaunchSpec spec;
  spec.argv = {absolute.string(), k_list_option};
  spec.environment = environment.entries();
  spec.keep_standard_output = true;
  spec.timeout = k_listing_timeout;
  const LaunchOutcome outcome = launcher.launch(spec);
  if (const auto failure = failure_of_end(outcome, spec.timeout)) {
    fail(program, failure->error);
  }
  std::vector<WorkloadInfo> workloads;
  if (std::filesystem::is_regular_file(listing, error)) {
    for (SuiteWorkload& described : suite_listing_from_json(read_file(listing), program)) {
      workloads.push_back(to_info(std::move(described), absolute));
    }
  } else {
    workloads = from_names(outcome.standard_output, absolute, kind_of(absolute));
  }
  if (workloads.empty()) {
    fail(program, "it names none; is it a google-benchmark program?");
  }
  return workloads;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/measuring_options.hpp"

#include "cli/option_helpers.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <limits>

namespace allocgate {

namespace {

constexpr unsigned k_processes = 3;
constexpr unsigned k_most_processes = 10;
constexpr unsigned k_most_jobs = 1024;
// Windows are three times this at most, and sums of bytes must stay far from 2^63.
constexpr std::uint64_t k_most_iterations = 1'000'000'000;

}  // namespace

void MeasuringOptions::setup(CLI::App& app, const char* jobs_are) {
  add_repeatable(
      app, "--suite", suites, "PROGRAM",
      "Measure the workloads of PROGRAM, any google-benchmark program (default: what allocgate.json says, else "
      "the installed suite)");
  add_cores(app, cores);
  add_configuration_file(app, config);
  app.add_flag("--quick", quick, "One process a workload: a first look, whose classes are not proven");
  app.add_option("--processes", processes,
                 "Fresh processes a workload, at least (default: 3); more follow where they differ")
      ->type_name("N")
      ->check(CLI::Range(1U, k_most_processes).description(""));
  app.add_option("--iterations", iterations, "Iterations of the first window (default: the workload's own)")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, k_most_iterations).description(""));
  add_seconds(app, "--timeout", timeout_seconds,
              "Seconds after which a process is ended as hanging (default: the workload's own)");
  app.add_option("--allocator", allocator,
                 "The allocator under the hooks: system, mimalloc, jemalloc, tcmalloc or a library's path")
      ->type_name("NAME|PATH")
      ->capture_default_str();
  app.add_option("--jobs", jobs, jobs_are)
      ->type_name("N")
      ->check(CLI::Range(1U, k_most_jobs).description(""))
      ->capture_default_str();
}

bool MeasuringOptions::any() const {
  return quick || jobs != 1 || processes != 0 || !cores.empty() || timing.is_wanted() || !as_arguments().empty();
}

MeasureOptions MeasuringOptions::measure_options(const Installation& installation) const {
  MeasureOptions options;
  options.installation = installation;
  options.allocator = allocator;
  options.iterations = iterations;
  options.processes = processes != 0 ? processes : quick ? 1 : k_processes;
  options.most_processes = quick ? options.processes : k_most_processes;
  options.timeout = timeout_of(timeout_seconds);
  options.time = timing.plan();
  if (options.time) {
    options.time->allocator = allocator;
    options.time->timeout = options.timeout;
  }
  return options;
}

std::vector<std::string> MeasuringOptions::as_arguments() const {
  std::vector<std::string> arguments;
  append_option(arguments, "--config", config);
  for (const std::string& suite : suites) {
    append_option(arguments, "--suite", suite);
  }
  append_option(arguments, "--iterations", iterations != 0 ? std::to_string(iterations) : std::string());
  append_option(arguments, "--timeout", timeout_seconds > 0 ? fmt::format("{}", timeout_seconds) : std::string());
  append_option(arguments, "--allocator", allocator != "system" ? allocator : std::string());
  return arguments;
}

std::optional<std::chrono::milliseconds> timeout_of(double seconds) {
  if (seconds <= 0) {
    return std::nullopt;
  }
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::duration<double>(seconds));
}

}  // namespace allocgate

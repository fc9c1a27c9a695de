// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

/// Registers a google-benchmark case and says about it what allocgate shows and stores:
///
///     void parse(benchmark::State& state) { for (auto _ : state) { ... } }
///     ALLOCGATE_WORKLOAD(parse, "http/parse_1000", {.core = "http", .exercises = "the request parser"})->Arg(64);
///
/// Link allocgate::benchmark_main, or allocgate::benchmark and a main() of your own that calls
/// benchmark::RunSpecifiedBenchmarks(). Programs that use only google-benchmark's own BENCHMARK() are measured as well
/// when they link one of the two; they need no header of ours. Registration happens before main, on one thread.
namespace allocgate {

/// How a workload's counts are judged when nothing more specific says so.
enum class WorkloadGate { exact, percent, min, none };

/// Another workload, in any program, that runs one layer of this one alone, as "codec" or "core".
struct WorkloadLayer {
  std::string layer;
  std::string workload;
  unsigned times = 1;  ///< of an iteration of it in an iteration of this one
};

/// What is not said stays out of the listing.
struct WorkloadDescription {
  std::string core = {};                         ///< the library under measurement, as "asio"
  std::string core_version = {};                 ///< as "1.22.1"; counts made with another are not comparable
  std::string exercises = {};                    ///< one line, for people
  std::optional<std::uint64_t> iterations = {};  ///< the smallest count that is worth a window; the runner chooses
  std::optional<unsigned> threads = {};          ///< that allocate, when ->Threads() does not say it already
  std::optional<WorkloadGate> gate = {};
  std::vector<std::string> depends_on = {};  ///< testbed fields beyond os, arch, libc, stdlib and core
  /// An argument in the names of the cases, as "size" of parse/size:64 or "argument 1" of parse/64: the allocations are
  /// the same whatever it is, and `allocgate check` fails when they are not. "allocated_bytes:size" for another
  /// measure.
  std::string does_not_depend_on = {};
  /// Of a whole stack: `allocgate compare --layers` shows what each costs, and what putting them together adds.
  std::vector<WorkloadLayer> layers = {};
};

/// google-benchmark's class of a registered benchmark, which its versions keep in different namespaces.
using RegisteredBenchmark = std::remove_pointer_t<decltype(benchmark::RegisterBenchmark(
    "", static_cast<benchmark::internal::Function*>(nullptr)))>;

/// Registers `function` as the benchmark `name`; the description holds for all its arguments. The result is
/// google-benchmark's own and belongs to it.
RegisteredBenchmark* register_workload(const std::string& name, benchmark::internal::Function* function,
                                       WorkloadDescription description);

}  // namespace allocgate

#define ALLOCGATE_WORKLOAD(function, name, ...)                                                   \
  [[maybe_unused]] static ::allocgate::RegisteredBenchmark* const allocgate_workload_##function = \
      ::allocgate::register_workload(name, function, ::allocgate::WorkloadDescription __VA_ARGS__)

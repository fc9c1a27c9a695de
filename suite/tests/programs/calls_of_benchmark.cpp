// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Names every function that the adapter wraps, as a program that is compiled with these headers would. Only compiled:
// versions_test.cpp reads from the object by which mangled names the linker would look for them.

#include <allocgate/benchmark.hpp>

namespace {

using allocgate::RegisteredBenchmark;
using benchmark::BenchmarkReporter;

template <typename... Parameters>
using Run = std::size_t (*)(Parameters...);

}  // namespace

extern const auto calls_register = &benchmark::internal::RegisterBenchmarkInternal;
extern const auto calls_clear = &benchmark::ClearRegisteredBenchmarks;
extern const auto calls_min_time = &RegisteredBenchmark::MinTime;
extern const auto calls_min_warm_up_time = &RegisteredBenchmark::MinWarmUpTime;
extern const auto calls_start = &benchmark::State::StartKeepRunning;
extern const auto calls_finish = &benchmark::State::FinishKeepRunning;
extern const auto calls_pause = &benchmark::State::PauseTiming;
extern const auto calls_resume = &benchmark::State::ResumeTiming;
extern const Run<> calls_run = &benchmark::RunSpecifiedBenchmarks;
extern const Run<std::string> calls_run_filtered = &benchmark::RunSpecifiedBenchmarks;
extern const Run<BenchmarkReporter*> calls_run_to = &benchmark::RunSpecifiedBenchmarks;
extern const Run<BenchmarkReporter*, std::string> calls_run_filtered_to = &benchmark::RunSpecifiedBenchmarks;
extern const Run<BenchmarkReporter*, BenchmarkReporter*> calls_run_to_both = &benchmark::RunSpecifiedBenchmarks;
extern const Run<BenchmarkReporter*, BenchmarkReporter*, std::string> calls_run_filtered_to_both =
    &benchmark::RunSpecifiedBenchmarks;

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <map>
#include <memory>
#include <string>
#include <vector>

// What the adapter touches of google-benchmark, declared as its versions declare it, and defined nowhere: the adapter
// is compiled against this in each of the three forms, so that the branches for versions which are not installed stay
// compilable, and the mangled names that these declarations make are held against wrapped_functions.def. CMakeLists.txt
// says which form: 1 is that of 1.7.1 to 1.9.1, 2 from 1.9.2, 3 from 1.9.5 on.
#ifndef ALLOCGATE_STUB_FORM
#define ALLOCGATE_STUB_FORM 3
#endif

namespace benchmark {

class State {
public:
  [[nodiscard]] std::int64_t iterations() const;
  void PauseTiming();
  void ResumeTiming();
#if ALLOCGATE_STUB_FORM == 1
  [[nodiscard]] bool error_occurred() const;
#else
  [[nodiscard]] bool skipped() const;
#endif
  const std::int64_t max_iterations;

  // Private in google-benchmark, which changes no name: the caller in the test needs them.
  void StartKeepRunning();
  void FinishKeepRunning();
};

struct Counter {
  double value;
};

namespace internal {

using Function = void(State&);
enum Skipped { NotSkipped = 0, SkippedWithMessage, SkippedWithError };

}  // namespace internal

#if ALLOCGATE_STUB_FORM < 3
namespace internal {
#endif

class Benchmark {
public:
  virtual ~Benchmark();
  Benchmark* MinTime(double seconds);
  Benchmark* MinWarmUpTime(double seconds);
  Benchmark* Iterations(std::int64_t count);
  Benchmark* Repetitions(int count);
  virtual void Run(State& state) = 0;
};

#if ALLOCGATE_STUB_FORM < 3
}  // namespace internal

internal::Benchmark* RegisterBenchmark(const char* name, internal::Function* function);
#else
namespace internal {
using Benchmark [[deprecated("the class is benchmark::Benchmark")]] = ::benchmark::Benchmark;
}  // namespace internal

Benchmark* RegisterBenchmark(const std::string& name, internal::Function* function);
#endif

namespace internal {

#if ALLOCGATE_STUB_FORM == 1
Benchmark* RegisterBenchmarkInternal(Benchmark* family);
#elif ALLOCGATE_STUB_FORM == 2
Benchmark* RegisterBenchmarkInternal(std::unique_ptr<Benchmark> family);
#else
::benchmark::Benchmark* RegisterBenchmarkInternal(std::unique_ptr< ::benchmark::Benchmark> family);
#endif

}  // namespace internal

class MemoryManager {
public:
  struct Result {
    std::int64_t num_allocs;
    std::int64_t max_bytes_used;
    std::int64_t total_allocated_bytes;
    std::int64_t net_heap_growth;
  };
  virtual ~MemoryManager();
  virtual void Start() = 0;
#if ALLOCGATE_STUB_FORM == 1
  virtual void Stop(Result* result) = 0;
#else
  virtual void Stop(Result& result) = 0;
#endif
};
void RegisterMemoryManager(MemoryManager* manager);

class BenchmarkReporter {
public:
  struct Context;
  struct Run {
    enum RunType { RT_Iteration, RT_Aggregate };
    RunType run_type;
#if ALLOCGATE_STUB_FORM == 1
    bool error_occurred;
    std::string error_message;
#else
    internal::Skipped skipped;
    std::string skip_message;
#endif
    std::map<std::string, Counter> counters;
  };
  BenchmarkReporter();
  virtual ~BenchmarkReporter();
  virtual bool ReportContext(const Context& context) = 0;
  virtual void ReportRuns(const std::vector<Run>& runs) = 0;
  void SetOutputStream(std::ostream* stream);
  void SetErrorStream(std::ostream* stream);
};

void PrintDefaultHelp();
void Initialize(int* count, char** arguments, void (*print_help)() = PrintDefaultHelp);
void ClearRegisteredBenchmarks();
std::size_t RunSpecifiedBenchmarks();
std::size_t RunSpecifiedBenchmarks(std::string filter);
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter* display);
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter* display, std::string filter);
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter* display, BenchmarkReporter* file);
std::size_t RunSpecifiedBenchmarks(BenchmarkReporter* display, BenchmarkReporter* file, std::string filter);

}  // namespace benchmark

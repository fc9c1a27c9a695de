// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Loops that count a stated number of allocations an iteration, in every shape that google-benchmark has. Built twice:
// with the adapter, and with google-benchmark alone. No other allocation happens in a loop.

#include <benchmark/benchmark.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

void allocate(std::int64_t times) {
  constexpr std::size_t k_size = 64;
  for (std::int64_t time = 0; time < times; ++time) {
    void* block = std::malloc(k_size);
    benchmark::DoNotOptimize(block);
    std::free(block);
  }
}

// 2, after 1000 before the loop; 500 after it.
void two(benchmark::State& state) {
  allocate(1000);
  for ([[maybe_unused]] auto iteration : state) {
    allocate(2);
  }
  allocate(500);
  state.counters["answer"] = 42;
}
BENCHMARK(two);
BENCHMARK(two)->Name("two/with+some(regular)[characters]*");
BENCHMARK(two)->Name("two_repeated")->Repetitions(3)->UseRealTime()->MeasureProcessCPUTime();
BENCHMARK(two)->Name("two_fixed")->Iterations(7);

// As many as the argument.
void argument(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(state.range(0));
  }
}
BENCHMARK(argument)->Arg(3)->ArgNames({"times"})->Arg(8);

// 3 that count and 5 that do not.
void paused(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(1);
    state.PauseTiming();
    allocate(5);
    state.ResumeTiming();
    allocate(2);
  }
}
BENCHMARK(paused);

// Makes so many pages be there that were not.
void touch(std::size_t pages) {
  constexpr std::size_t k_page = 4096;
  void* mapped = ::mmap(nullptr, pages * k_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    std::abort();
  }
  for (std::size_t page = 0; page < pages; ++page) {
    static_cast<volatile char*>(mapped)[page * k_page] = 1;
  }
  ::munmap(mapped, pages * k_page);
}

// No allocation, and 3 page faults that are timed, 40 that are not; by each thread.
void page_faults(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    touch(1);
    state.PauseTiming();
    touch(40);
    state.ResumeTiming();
    touch(2);
  }
}
BENCHMARK(page_faults);
BENCHMARK(page_faults)->Threads(2);

// 3 by each thread.
void threads(benchmark::State& state) {
  allocate(100);
  for ([[maybe_unused]] auto iteration : state) {
    allocate(3);
  }
}
BENCHMARK(threads)->Threads(2)->Threads(5);

// 1, for a time that the program chose.
void min_time(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(1);
  }
}
BENCHMARK(min_time)->MinTime(0.05);
BENCHMARK(min_time)->Name("warm_up")->MinTime(0.05)->MinWarmUpTime(0.02);

// 4, in batches of 10.
void batches(benchmark::State& state) {
  while (state.KeepRunningBatch(10)) {
    allocate(40);
  }
}
BENCHMARK(batches);

// Twice a block of 1 MiB, live at the same time as the other: the peak is 2 MiB, also at the end.
void keeps(benchmark::State& state) {
  constexpr std::size_t k_size = std::size_t{1} << 20U;
  std::vector<void*> blocks;
  blocks.reserve(64);
  for ([[maybe_unused]] auto iteration : state) {
    blocks.push_back(std::malloc(k_size));
    blocks.push_back(std::malloc(k_size));
  }
  for (void* block : blocks) {
    std::free(block);
  }
}
BENCHMARK(keeps);

// One descriptor that stays open; one that does not.
void descriptors(benchmark::State& state) {
  std::vector<int> opened;
  opened.reserve(64);
  for ([[maybe_unused]] auto iteration : state) {
    opened.push_back(open("/dev/null", O_RDONLY));
    close(open("/dev/null", O_RDONLY));
  }
  for (const int descriptor : opened) {
    close(descriptor);
  }
}
BENCHMARK(descriptors);

// 7, all by another thread, after the loop.
void helper(benchmark::State& state) {
  int pipe_ends[2] = {};
  if (pipe(pipe_ends) != 0) {
    state.SkipWithError("no pipe");
    return;
  }
  std::thread worker([&] {
    char request = 0;
    while (read(pipe_ends[0], &request, 1) == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      allocate(7);
    }
  });
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(write(pipe_ends[1], "x", 1));
  }
  close(pipe_ends[1]);
  worker.join();
  close(pipe_ends[0]);
}
BENCHMARK(helper);

// Whatever it counts, it never ends: another thread allocates on and on.
void restless(benchmark::State& state) {
  std::atomic<bool> ends{false};
  std::thread worker([&] {
    while (!ends) {
      allocate(1);
    }
  });
  for ([[maybe_unused]] auto iteration : state) {
  }
  ends = true;
  worker.join();
}
BENCHMARK(restless);

void fails_before(benchmark::State& state) {
  state.SkipWithError("no \"server\" here");
}
BENCHMARK(fails_before);

void fails_before_its_loop(benchmark::State& state) {
  state.SkipWithError("no server here");
  for ([[maybe_unused]] auto iteration : state) {
    allocate(1);
  }
}
BENCHMARK(fails_before_its_loop);

void fails_and_breaks(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    state.SkipWithError("an answer is wrong");
    break;
  }
}
BENCHMARK(fails_and_breaks);

void fails_and_goes_on(benchmark::State& state) {
  while (state.KeepRunning()) {
    allocate(1);
    state.SkipWithError("an answer is wrong");
  }
}
BENCHMARK(fails_and_goes_on);

void twin(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
  }
}
BENCHMARK(twin);
BENCHMARK(twin);

class Prepared : public benchmark::Fixture {
public:
  using benchmark::Fixture::SetUp;
  void SetUp(benchmark::State& /*state*/) override { allocate(50); }
};

// 1, after 50 in SetUp.
BENCHMARK_F(Prepared, fixture)(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    allocate(1);
  }
}

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// liballocgate_benchmark_window.so: preloaded after the hooks into a google-benchmark program that links nothing of
// ours, it stands before the functions of benchmark::State that bound a loop, calls the next definition of each, which
// is the one in the shared libbenchmark, and publishes every loop as a window. libc is its only dependency, of glibc
// the 2.34 that took dlsym in; it neither allocates nor throws. In a program without a shared libbenchmark nothing
// calls it.
//
// A program that links the adapter publishes its own windows when the runner names a workload: then this only forwards.

#include "window/window_meter.hpp"

#include <allocgate/suite_protocol.h>

#include <atomic>
#include <cstdint>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

namespace allocgate {

/// The first members of benchmark::State, in this order in google-benchmark 1.5 to 1.9.
struct State {
  std::int64_t total_iterations;  // 0 until StartKeepRunning; then max_iterations, or 0 after an error
  std::int64_t batch_leftover;    // what KeepRunningBatch ran beyond max_iterations
  std::int64_t max_iterations;
};

namespace {

constinit WindowMeter g_meter;
const allocgate_hooks_table* g_hooks = nullptr;

void say(const char* message) {
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, message, strlen(message));
}

void publish(const allocgate_window_entry& window) {
  g_hooks->publish_window(&window);
}

/// The next definition of `symbol` after this library; ends the process where there is none.
template <typename Function>
Function next_definition(std::atomic<Function>& known, const char* symbol) {
  Function next = known.load(std::memory_order_acquire);
  if (next == nullptr) {
    next = reinterpret_cast<Function>(dlsym(RTLD_NEXT, symbol));
    if (next == nullptr) {
      say("allocgate: this program loads google-benchmark with dlopen, where its loops cannot be bounded from outside; "
          "measure it whole, with allocgate stat.\n");
      _exit(EXIT_FAILURE);
    }
    known.store(next, std::memory_order_release);
  }
  return next;
}

/// Whether State is laid out as above, seen from what StartKeepRunning must have left there.
bool layout_is_known(const State& state) {
  return state.batch_leftover == 0 && state.max_iterations > 0 &&
         (state.total_iterations == state.max_iterations || state.total_iterations == 0);
}

[[gnu::constructor]] void start_measuring() {
  g_hooks = allocgate_hooks();
  if (g_hooks != nullptr && getenv(ALLOCGATE_ENV_SUITE_WORKLOAD) == nullptr) {
    g_meter.start(*g_hooks, publish);
  }
}

[[gnu::destructor]] void publish_what_is_left() {
  g_meter.abandon_loops();
}

}  // namespace

// From here on: the names of benchmark::State that programs call.

#define ALLOCGATE_STATE_FUNCTION(name, symbol)                            \
  [[gnu::visibility("default")]] void name(State* state) __asm__(symbol); \
  static void next_##name(State* state) {                                 \
    static constinit std::atomic<void (*)(State*)> g_known{nullptr};      \
    next_definition(g_known, symbol)(state);                              \
  }
#include "window/state_functions.def"

void start_keep_running(State* state) {
  g_meter.loop_enters(state);
  next_start_keep_running(state);
  if (!layout_is_known(*state)) {
    say("allocgate: this libbenchmark lays out benchmark::State as no version known here, so its windows are not "
        "measured; link the program with allocgate::benchmark instead.\n");
    g_meter.stop();
    return;
  }
  g_meter.loop_started(state, static_cast<std::uint64_t>(state->max_iterations), state->total_iterations == 0);
}

void finish_keep_running(State* state) {
  g_meter.loop_finishes(state);
  next_finish_keep_running(state);
  g_meter.loop_finished(state, static_cast<std::uint64_t>(state->max_iterations + state->batch_leftover));
}

void pause_timing(State* state) {
  g_meter.loop_pauses(state);
  next_pause_timing(state);
}

void resume_timing(State* state) {
  next_resume_timing(state);
  g_meter.loop_resumed(state);
}

// A loop over KeepRunning() ends like any other after an error; only these calls tell. The message is a C string up to
// 1.7 and a std::string reference since: a pointer either way, passed on.
#define ALLOCGATE_SKIP_FUNCTION(name, symbol)                                                  \
  [[gnu::visibility("default")]] void name(State* state, const void* message) __asm__(symbol); \
  void name(State* state, const void* message) {                                               \
    static constinit std::atomic<void (*)(State*, const void*)> g_known{nullptr};              \
    g_meter.loop_failed(state);                                                                \
    next_definition(g_known, symbol)(state, message);                                          \
  }
ALLOCGATE_SKIP_FUNCTION(skip_with_error_text, "_ZN9benchmark5State13SkipWithErrorEPKc")
ALLOCGATE_SKIP_FUNCTION(skip_with_error,
                        "_ZN9benchmark5State13SkipWithErrorERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE")
ALLOCGATE_SKIP_FUNCTION(skip_with_message,
                        "_ZN9benchmark5State15SkipWithMessageERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE")

}  // namespace allocgate

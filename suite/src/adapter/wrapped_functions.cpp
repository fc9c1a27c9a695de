// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/wrapped_functions.hpp"

#include "adapter/google_benchmark.hpp"
#include "adapter/hook_memory_manager.hpp"
#include "adapter/loop_clock.hpp"
#include "adapter/loop_meter.hpp"
#include "adapter/protocol.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

namespace allocgate {

namespace {

// Before the program's main, on its first registration: nothing has been measured yet.
[[noreturn]] void refuse_other_version() {
  std::fputs(
      "allocgate: this program was compiled with another google-benchmark than the allocgate::benchmark that it "
      "links; build both with the same.\n",
      stderr);
  std::_Exit(EXIT_FAILURE);
}

// The first of these runs before main, so that a MemoryManager of the program's own, registered in its main, stays.
void note_registration(Family* family) {
  if (!protocol_is_asked_for()) {
    register_hook_memory_manager();
  }
  Families::instance().add(family);
}

}  // namespace

void wrapped_start_keep_running(benchmark::State* state) {
  loop_meter().loop_enters(state);
  loop_clock().loop_enters(state);
  real_start_keep_running(state);
  loop_clock().loop_started(state);
  loop_meter().loop_started(state, static_cast<std::uint64_t>(state->max_iterations), gave_up(*state));
}

void wrapped_finish_keep_running(benchmark::State* state) {
  loop_clock().loop_finishes(state);
  if (gave_up(*state)) {
    loop_meter().loop_failed(state);
  }
  loop_meter().loop_finishes(state);
  real_finish_keep_running(state);
  loop_meter().loop_finished(state, static_cast<std::uint64_t>(state->iterations()));
}

void wrapped_pause_timing(benchmark::State* state) {
  loop_clock().loop_pauses(state);
  loop_meter().loop_pauses(state);
  real_pause_timing(state);
}

void wrapped_resume_timing(benchmark::State* state) {
  real_resume_timing(state);
  loop_meter().loop_resumed(state);
  loop_clock().loop_resumed(state);
}

Family* wrapped_register_raw_pointer(Family* family) {
  if constexpr (k_registration == Registration::raw_pointer) {
    note_registration(family);
    return real_register_raw_pointer(family);
  } else {
    refuse_other_version();
  }
}

Family* wrapped_register_owning_pointer(std::unique_ptr<Family> family) {
  if constexpr (k_registration == Registration::owning_pointer) {
    note_registration(family.get());
    return real_register_owning_pointer(std::move(family));
  } else {
    refuse_other_version();
  }
}

Family* wrapped_register_public_class(std::unique_ptr<Family> family) {
  if constexpr (k_registration == Registration::public_class) {
    note_registration(family.get());
    return real_register_public_class(std::move(family));
  } else {
    refuse_other_version();
  }
}

void wrapped_clear_benchmarks() {
  Families::instance().clear();
  real_clear_benchmarks();
}

// Both names of a member function come here: who registered with another version was refused there.
Family* wrapped_min_time_of_internal_class(Family* family, double seconds) {
  Families::instance().has_minimum_time(family);
  return real_min_time(family, seconds);
}
Family* wrapped_min_time_of_public_class(Family* family, double seconds) {
  return wrapped_min_time_of_internal_class(family, seconds);
}

Family* wrapped_min_warm_up_time_of_internal_class(Family* family, double seconds) {
  Families::instance().has_minimum_time(family);
  return real_min_warm_up_time(family, seconds);
}
Family* wrapped_min_warm_up_time_of_public_class(Family* family, double seconds) {
  return wrapped_min_warm_up_time_of_internal_class(family, seconds);
}

std::size_t wrapped_run() {
  return protocol_is_asked_for() ? run_by_protocol() : real_run();
}

std::size_t wrapped_run_filtered(std::string filter) {
  return protocol_is_asked_for() ? run_by_protocol() : real_run_filtered(std::move(filter));
}

std::size_t wrapped_run_to(Reporter* display) {
  return protocol_is_asked_for() ? run_by_protocol() : real_run_to(display);
}

std::size_t wrapped_run_filtered_to(Reporter* display, std::string filter) {
  return protocol_is_asked_for() ? run_by_protocol() : real_run_filtered_to(display, std::move(filter));
}

std::size_t wrapped_run_to_both(Reporter* display, Reporter* file) {
  return protocol_is_asked_for() ? run_by_protocol() : real_run_to_both(display, file);
}

std::size_t wrapped_run_filtered_to_both(Reporter* display, Reporter* file, std::string filter) {
  return protocol_is_asked_for() ? run_by_protocol() : real_run_filtered_to_both(display, file, std::move(filter));
}

}  // namespace allocgate

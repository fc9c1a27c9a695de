// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/protocol.hpp"

#include "adapter/google_benchmark.hpp"
#include "adapter/loop_clock.hpp"
#include "adapter/loop_meter.hpp"
#include "adapter/suite_documents.hpp"

#include <allocgate/suite_protocol.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

namespace {

const allocgate_hooks_table* g_hooks = nullptr;
std::vector<WindowReport>* g_reports = nullptr;

[[noreturn]] void refuse(const std::string& why) {
  std::cerr << "allocgate: " << why << std::endl;
  std::exit(EXIT_FAILURE);
}

void write_file(const char* path, const std::string& text) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (!file) {
    refuse(std::string("cannot write ") + path + ": check that its folder exists and has room");
  }
}

std::vector<std::int64_t> iteration_counts() {
  const char* value = std::getenv(ALLOCGATE_ENV_SUITE_WINDOWS);
  const std::string_view text = value != nullptr ? value : "";
  std::vector<std::int64_t> counts;
  for (const char* at = text.data(); at != text.data() + text.size();) {
    std::int64_t count = 0;
    const std::from_chars_result end = std::from_chars(at, text.data() + text.size(), count);
    const bool more = end.ptr != text.data() + text.size();
    if (end.ec != std::errc{} || count < 1 || (more && (*end.ptr != ',' || end.ptr + 1 == text.data() + text.size()))) {
      counts.clear();
      break;
    }
    counts.push_back(count);
    at = more ? end.ptr + 1 : end.ptr;
  }
  if (counts.empty()) {
    refuse(ALLOCGATE_ENV_SUITE_WINDOWS " is \"" + std::string(text) +
           "\", and must be iteration counts of at least 1, separated by commas, as in 1,1,2,3");
  }
  return counts;
}

// Two cases of one name are listed as one, which then says why it cannot run: the others are not to suffer from it.
std::vector<std::string> each_once(const std::vector<std::string>& names) {
  std::vector<std::string> unique;
  for (const std::string& name : names) {
    if (std::find(unique.begin(), unique.end(), name) == unique.end()) {
      unique.push_back(name);
    }
  }
  return unique;
}

// Fixing the iterations of a case changes its name but not its place, so the place stands for it.
std::size_t place_of(const std::string& workload, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), workload);
  if (found == names.end()) {
    refuse("this program has no workload " + workload + "; " ALLOCGATE_ENV_SUITE_LIST "=FILE lists those it has");
  }
  if (std::find(std::next(found), names.end(), workload) != names.end()) {
    refuse("this program has more than one workload " + workload + "; give each a name of its own");
  }
  return static_cast<std::size_t>(found - names.begin());
}

// One window in the record for each window here, so that the runner can put the two side by side.
void take_window(const allocgate_window_entry& window) {
  g_hooks->publish_window(&window);
  g_reports->push_back({.iterations = window.iterations, .run = {}, .times = {}});
}

// No loop was measured: the hooks are not loaded, or the workload gave up before its loop, or the loop is out of sight.
// A window without counts must never pass for one that counted nothing.
void add_missing_window(std::int64_t iterations, bool gave_up, std::vector<WindowReport>& reports) {
  const auto count = static_cast<std::uint64_t>(iterations);
  if (g_hooks == nullptr) {
    reports.push_back({.iterations = count, .run = {}, .times = loop_clock().take()});
    return;
  }
  allocgate_window_entry window = {};
  window.iterations = count;
  window.open_fds = -1;
  window.flags = ALLOCGATE_WINDOW_ERROR;
  take_window(window);
  if (!gave_up) {
    reports.back().run.error =
        "the adapter did not see this workload's loop: link the object that has it into the program itself, not into a "
        "shared library";
  }
}

void run_window(std::size_t place, std::int64_t iterations, std::vector<WindowReport>& reports) {
  Families::instance().fix_iterations(iterations);
  const std::size_t windows_before = reports.size();
  const std::string name = registered_names().at(place);
  const std::optional<RunReport> run = run_case(name);
  if (!run) {
    refuse("google-benchmark does not find " + name + ", which it lists; give the workload a simpler name");
  }
  loop_meter().abandon_loops();
  if (reports.size() == windows_before) {
    add_missing_window(iterations, !run->error.empty(), reports);
  }
  const std::string seen_error = reports.back().run.error;
  reports.back().run = *run;
  if (run->error.empty()) {
    reports.back().run.error = seen_error;
  }
}

void run_windows(const std::string& workload) {
  const std::size_t place = place_of(workload, registered_names());
  const std::vector<std::int64_t> counts = iteration_counts();
  std::vector<WindowReport> reports;
  g_reports = &reports;
  g_hooks = allocgate_hooks();
  benchmark::RegisterMemoryManager(nullptr);
  if (g_hooks != nullptr) {
    loop_meter().start(*g_hooks, take_window);
  } else {
    loop_clock().start();
  }
  for (const std::int64_t iterations : counts) {
    run_window(place, iterations, reports);
  }
  loop_meter().stop();
  if (const char* path = std::getenv(ALLOCGATE_ENV_SUITE_REPORT)) {
    write_file(path, report_json(reports));
  }
}

}  // namespace

bool protocol_is_asked_for() {
  return std::getenv(ALLOCGATE_ENV_SUITE_LIST) != nullptr || std::getenv(ALLOCGATE_ENV_SUITE_WORKLOAD) != nullptr;
}

std::size_t run_by_protocol() {
  if (const char* path = std::getenv(ALLOCGATE_ENV_SUITE_LIST)) {
    write_file(path, listing_json(each_once(registered_names())));
    std::exit(EXIT_SUCCESS);
  }
  static bool ran = false;
  if (ran) {
    return 0;
  }
  ran = true;
  run_windows(std::getenv(ALLOCGATE_ENV_SUITE_WORKLOAD));
  return 1;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/google_benchmark.hpp"

#include "adapter/wrapped_functions.hpp"

#include <limits>
#include <sstream>
#include <string_view>

namespace allocgate {

namespace {

// Keeps what was reported last, and what google-benchmark prints to its reporter when it lists.
class SilentReporter : public benchmark::BenchmarkReporter {
public:
  SilentReporter() {
    SetOutputStream(&m_output);
    SetErrorStream(&m_output);
  }
  bool ReportContext(const Context& /*context*/) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type == Run::RT_Iteration) {
        m_report.error = error_of(run);
        m_report.counters.clear();
        for (const auto& [name, counter] : run.counters) {
          m_report.counters.emplace(name, counter.value);
        }
      }
    }
  }

  [[nodiscard]] const RunReport& report() const { return m_report; }
  [[nodiscard]] std::istream& output() { return m_output; }

private:
  std::stringstream m_output;
  RunReport m_report;
};

// The one way to list is a flag, and the one way to set a flag is a command line. google-benchmark keeps argv[0].
void set_flag(const char* flag) {
  static char g_program[] = "allocgate";
  std::string text = flag;
  char* arguments[] = {g_program, text.data(), nullptr};
  int count = 2;
  benchmark::Initialize(&count, arguments);
}

// Escapes what POSIX extended expressions know as special: std::regex refuses a backslash before anything else.
std::string exact_filter(std::string_view name) {
  std::string filter = "^";
  for (const char character : name) {
    if (std::string_view(".[{()*+?^$|\\").find(character) != std::string_view::npos) {
      filter += '\\';
    }
    filter += character;
  }
  return filter + "$";
}

}  // namespace

Families& Families::instance() {
  static Families families;
  return families;
}

void Families::has_minimum_time(const Family* family) {
  for (Known& known : m_families) {
    if (known.family == family) {
      known.minimum_time = true;
    }
  }
}

void Families::fix_iterations(std::int64_t iterations) {
  for (Known& known : m_families) {
    known.family->Repetitions(1);
    if (known.minimum_time) {
      // google-benchmark aborts when a case with a minimum time is given a count. It asks for a time above zero, and
      // takes anything below the epsilon of double for none.
      real_min_time(known.family, std::numeric_limits<double>::min());
      real_min_warm_up_time(known.family, 0);
      known.minimum_time = false;
    }
    known.family->Iterations(iterations);
  }
}

std::vector<std::string> registered_names() {
  SilentReporter reporter;
  set_flag("--benchmark_list_tests=true");
  real_run_filtered_to(&reporter, ".");
  set_flag("--benchmark_list_tests=false");

  std::vector<std::string> names;
  for (std::string name; std::getline(reporter.output(), name);) {
    names.push_back(std::move(name));
  }
  return names;
}

std::optional<RunReport> run_case(const std::string& name) {
  SilentReporter reporter;
  if (real_run_filtered_to(&reporter, exact_filter(name)) != 1) {
    return std::nullopt;
  }
  return reporter.report();
}

}  // namespace allocgate

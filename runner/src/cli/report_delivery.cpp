// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/report_delivery.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "cli/measuring.hpp"
#include "compare/measured_judgement.hpp"
#include "exchange/package_benchmark.hpp"
#include "exchange/swift_nio.hpp"
#include "json/documents.hpp"
#include "report/core_report.hpp"
#include "report/github_report.hpp"
#include "report/junit_report.hpp"
#include "report/run_report.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>

namespace allocgate {

namespace {

namespace fs = std::filesystem;

void say_left_out(const std::vector<std::string>& sentences, const Streams& streams) {
  for (const std::string& sentence : sentences) {
    streams.err << "allocgate: " << sentence << "\n";
  }
}

ExitCode deliver_foreign(const ForeignText& made, const OutputOptions& output, const Streams& streams) {
  say_left_out(made.left_out, streams);
  deliver(made.text, output, streams.out);
  return made.left_out.empty() ? ExitCode::fine : ExitCode::not_measured;
}

/// Every text is made before the first file is written.
ExitCode write_package_benchmark(const Result& result, const OutputOptions& output, const Streams& streams) {
  if (output.output.empty()) {
    throw Error(ExitCode::usage, "package-benchmark has a file a workload: --output names the folder for them");
  }
  const PackageBenchmarkFiles made = package_benchmark_files(result);
  say_left_out(made.left_out, streams);
  for (const PackageBenchmarkFile& file : made.files) {
    write_file_atomically(fs::path(output.output) / file.name, file.text);
  }
  streams.err << fmt::format("allocgate: wrote {} to {}\n",
                             made.files.size() == 1 ? "1 file" : fmt::format("{} files", made.files.size()),
                             output.output);
  return made.left_out.empty() ? ExitCode::fine : ExitCode::not_measured;
}

/// Whatever is there stays: each step has one file, to which all of its commands add.
void append_to_summary(const std::string& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary | std::ios::app);
  stream << text << std::flush;
  if (!stream) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot add to '{}', which GITHUB_STEP_SUMMARY names: it is not writable or its disk is "
                            "full; unset the variable to do without a summary",
                            file));
  }
}

/// `make` gives the text for a number of bytes, nothing when it needs more.
template <typename Make>
void write_summary(const Make& make, const Streams& streams) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (file == nullptr || *file == '\0') {
    streams.err << "allocgate: no step summary: GITHUB_STEP_SUMMARY names no file, as it does in GitHub Actions\n";
    return;
  }
  std::error_code error;
  const auto there = fs::file_size(file, error);
  const std::size_t used = error ? 0 : static_cast<std::size_t>(there);
  const std::size_t left = used < k_github_summary_bytes ? k_github_summary_bytes - used : 0;
  const std::string text = make(left > 0 ? left - 1 : 0);
  if (text.empty()) {
    streams.err << fmt::format("allocgate: no step summary: {} is full, and GitHub shows none of a larger one\n", file);
    return;
  }
  append_to_summary(file, text + "\n");
}

std::optional<ExitCode> deliver_from_result(ReportFormat format, const Result& result, const OutputOptions& output,
                                            const Streams& streams) {
  switch (format) {
    case ReportFormat::swift_nio:
      return deliver_foreign(swift_nio_log(result), output, streams);
    case ReportFormat::swift_nio_limits:
      return deliver_foreign(swift_nio_limits(result), output, streams);
    case ReportFormat::package_benchmark:
      return write_package_benchmark(result, output, streams);
    default:
      return std::nullopt;
  }
}

void add_next_steps(Judgement& judgement, const StepsFor& steps_for) {
  for (Verdict& verdict : judgement.verdicts) {
    const bool wants_baseline = verdict.kind == VerdictKind::no_baseline || verdict.kind == VerdictKind::not_comparable;
    if ((verdict.code != ExitCode::fine || wants_baseline) && !verdict.next) {
      verdict.next = steps_for(verdict);
    }
  }
}

}  // namespace

bool hides_failures(ReportFormat format) {
  return format == ReportFormat::swift_nio || format == ReportFormat::swift_nio_limits ||
         format == ReportFormat::package_benchmark;
}

void deliver_judgement(const Result& result, Judgement judgement, const StepsFor& steps_for,
                       const OutputOptions& output, const Streams& streams) {
  const ReportFormat format = report_format_named(output.format);
  add_next_steps(judgement, steps_for);
  switch (format) {
    case ReportFormat::json:
      deliver(judgement_to_json(judgement), output, streams.out);
      return;
    case ReportFormat::markdown:
      deliver(verdict_markdown(judgement, steps_for), output, streams.out);
      return;
    case ReportFormat::text:
      deliver(verdict_report(judgement, steps_for, result_style(output, streams.out_is_terminal), k_report_width),
              output, streams.out);
      return;
    case ReportFormat::junit:
      deliver(junit_report(result, judgement), output, streams.out);
      return;
    case ReportFormat::github:
      deliver(github_annotations(judgement), output, streams.out);
      write_summary([&](std::size_t budget) { return github_summary(judgement, steps_for, budget); }, streams);
      return;
    default:
      deliver_from_result(format, result, output, streams);
  }
}

ExitCode deliver_result(const Result& result, const StepsFor& steps_for, const OutputOptions& output,
                        const Streams& streams) {
  const ReportFormat format = report_format_named(output.format);
  if (const std::optional<ExitCode> code = deliver_from_result(format, result, output, streams)) {
    // What the workloads are says more than that something was left out.
    const ExitCode of_workloads = exit_code_of(result);
    return of_workloads == ExitCode::fine ? *code : of_workloads;
  }
  Judgement judgement = judgement_of_measuring(result);
  add_next_steps(judgement, steps_for);
  switch (format) {
    case ReportFormat::markdown:
      deliver(with_part(run_markdown(result), core_markdown(result, k_report_width)), output, streams.out);
      break;
    case ReportFormat::junit:
      deliver(junit_report(result, judgement), output, streams.out);
      break;
    case ReportFormat::github:
      deliver(github_annotations(judgement), output, streams.out);
      write_summary([&](std::size_t budget) { return cut_to_lines(run_markdown(result), budget); }, streams);
      break;
    default:
      const Style style = result_style(output, streams.out_is_terminal);
      deliver(with_part(run_report(result, style, k_report_width), core_report(result, style, k_report_width)), output,
              streams.out);
  }
  return ExitCode::fine;
}

}  // namespace allocgate

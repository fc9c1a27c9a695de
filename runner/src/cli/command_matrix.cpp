// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_matrix.hpp"

#include "base/error.hpp"
#include "cli/matrix_cells.hpp"
#include "cli/option_helpers.hpp"
#include "cli/threshold_option.hpp"
#include "json/documents.hpp"
#include "report/matrix_report.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "matrix",
    "says whether the code or the toolchain moved a count",
    "[OPTIONS] (--workload NAME | -- COMMAND...)",
    "Is it the code or the compiler? Builds every revision with every toolchain and every level of other axes, in work "
    "trees of its own beside yours, measures each cell, and prints the table with a conclusion in words: which axis "
    "moved the number, from which level to which, by how much. That is said of an axis alone only where it holds in "
    "every row; else the cells are named. What was built and measured once is remembered.\n\n"
    "REV is a revision; REV+FILE.patch is one with a patch on top (+FILE.patch: HEAD with it); '.' is the work tree as "
    "it is. A toolchain is the variables that its build gets: 'clang14=CC=clang-14 CXX=clang++-14'. A level of another "
    "axis is written AXIS/LEVEL: 'optimization/O0=CXXFLAGS=-O0'. A cell is called by its levels, in the order of the "
    "axes: main:clang14:O0.",
    {{"allocgate matrix --rev v1 --rev main --toolchain gcc11=CXX=g++-11 -- ./tool",
      "Two states of the code; each --toolchain is one column. The build line is that of allocgate.json."},
     {"allocgate matrix --axis opt/O0=CFLAGS=-O0 --axis opt/O2=CFLAGS=-O2 -- ./tool",
      "HEAD at two levels of optimization; the allocations of a whole command."},
     {"allocgate matrix --workload parse --format json --output cells.json",
      "A file from which 'baseline update --matrix' makes the baseline of each toolchain."}},
    {{"0", "every cell was measured, or may fail"},
     {"3", "a cell could not be built or measured, or another allocgate builds there"},
     {"64", "wrong use; no such revision; a patch does not apply"},
     {"130", "interrupted: the same command goes on"}},
};

bool has_failed(const Matrix& matrix) {
  for (std::size_t index = 0; index < matrix.cells.size(); ++index) {
    bool measured = matrix.cells[index].result.has_value() && !matrix.tables.empty();
    for (const MatrixTable& table : matrix.tables) {
      measured = measured && table.entries[index].value.has_value();
    }
    if (!measured && !matrix.cells[index].may_fail) {
      return true;
    }
  }
  return false;
}

}  // namespace

const CommandHelp& CommandMatrix::help() const {
  return k_help;
}

void CommandMatrix::setup(CLI::App& app) {
  add_repeatable(app, "--rev", m_options.revisions, "REV[+PATCH...]", "A revision to build (default: HEAD)");
  m_options.built.setup(app, "Cells built and measured at the same time");
  add_repeatable(app, "--axis", m_options.axes, "[AXIS/]LEVEL=VARIABLE=VALUE...", "A level of another axis");
  add_repeatable(app, "--allow-failure", m_options.allowed_failures, "CELL",
                 "This cell, or what the glob means, may fail: 'v1.4:clang16', 'v1.4:*'");
  app.add_option("--threshold", m_options.threshold,
                 "By how much a cell may be off what its axes alone make of it: 1%, or 5 (default: nothing for exact "
                 "values, 1% of others)")
      ->type_name("VALUE");
  m_options.output.setup(app, {"text", "json", "markdown"});
}

void CommandMatrix::check() {
  m_options.built.check();
  static_cast<void>(parse_axes(m_options.axes));
  if (!m_options.threshold.empty()) {
    const Threshold threshold = parse_threshold(m_options.threshold);
    if (threshold.range || threshold.per_iteration_thousandths) {
      throw Error(ExitCode::usage, "--threshold: write 1% or 5, by how much a cell may be off");
    }
  }
}

int CommandMatrix::run(const Streams& streams) {
  PosixLauncher launcher;
  const Repository repository({}, launcher);
  const BuiltOptions& built = m_options.built;
  const LoadedConfiguration here = load_configuration(built.measuring.config);
  const BuildPlan build = built.plan(here, "matrix");
  MatrixPlan plan = plan_matrix(
      repository, m_options.revisions.empty() ? std::vector<std::string>{"HEAD"} : m_options.revisions,
      parse_named_variables("--toolchain", built.toolchains), parse_axes(m_options.axes), m_options.allowed_failures);
  RevisionMeasurer measurer(repository, build, built.named_measuring(), built.configuration_of(here, repository),
                            "matrix", streams);
  std::vector<PlaceOutcome> outcomes = measurer.measure(plan.places);
  Matrix matrix{built.measure, std::move(plan.axes), std::move(plan.cells), {}};
  for (std::size_t index = 0; index < outcomes.size(); ++index) {
    matrix.cells[index].result = std::move(outcomes[index].result);
    matrix.cells[index].reason = std::move(outcomes[index].reason);
  }
  matrix.tables = tables_of(
      matrix, m_options.threshold.empty() ? std::nullopt : std::optional(parse_threshold(m_options.threshold)));
  std::string text;
  switch (m_options.output.chosen_format()) {
    case Format::json: {
      std::vector<std::vector<std::string>> sentences;
      for (const MatrixTable& table : matrix.tables) {
        sentences.push_back(conclusion_sentences(matrix, table));
      }
      text = matrix_to_json(matrix, sentences);
      break;
    }
    case Format::markdown:
      text = matrix_markdown(matrix);
      break;
    case Format::text:
      text = matrix_report(matrix, result_style(m_options.output, streams.out_is_terminal), k_report_width);
      break;
  }
  deliver(text, m_options.output, streams.out);
  return static_cast<int>(has_failed(matrix) ? ExitCode::not_measured : ExitCode::fine);
}

}  // namespace allocgate

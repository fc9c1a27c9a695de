// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_doctor.hpp"

#include "base/error.hpp"
#include "cli/configuration.hpp"
#include "cli/diagnosis.hpp"
#include "cli/installation.hpp"
#include "cli/measuring.hpp"
#include "cli/option_helpers.hpp"
#include "json/value.hpp"
#include "report/text_width.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>

namespace allocgate {

namespace {

const CommandHelp k_help = {
    "doctor",
    "says what works here and what to install or do",
    "[OPTIONS]",
    "Looks at the hooks, counts a program of known count, under each allocator that is installed, and looks at the "
    "record "
    "folder, the suite, the baseline of this testbed and git. Each line is 'ok', 'missing' (nothing can be counted "
    "without "
    "it) or 'absent' (something is done without), with what to install or do.",
    {{"allocgate doctor", "Does counting work on this machine?"},
     {"allocgate doctor --format json", "The same for a program."}},
    {{"0", "counting works"},
     {"3", "counting does not work: a line says 'missing'"},
     {"64", "wrong use"},
     {"130", "interrupted"}},
};

constexpr std::size_t k_text_column = 24;

std::string_view state_name(Finding::State state) {
  switch (state) {
    case Finding::State::ok:
      return "ok";
    case Finding::State::missing:
      return "missing";
    case Finding::State::absent:
      return "absent";
  }
  return {};
}

Paint paint_of(Finding::State state) {
  switch (state) {
    case Finding::State::ok:
      return Paint::good;
    case Finding::State::missing:
      return Paint::bad;
    case Finding::State::absent:
      return Paint::caution;
  }
  return Paint::plain;
}

std::string text_of(const std::vector<Finding>& findings, const Style& style) {
  std::string text;
  for (const Finding& finding : findings) {
    const std::string_view state = state_name(finding.state);
    text += style.painted(state, paint_of(finding.state)) +
            fmt::format("{:{}}{:<15}", "", 9 - state.size(), finding.subject);
    text += wrapped(finding.sentence, k_text_column, k_report_width, 0);
  }
  return text;
}

std::string json_of(const std::vector<Finding>& findings) {
  JsonValue array = JsonValue::array();
  for (const Finding& finding : findings) {
    array.push(JsonValue::object()
                   .add("subject", finding.subject)
                   .add("state", state_name(finding.state))
                   .add("sentence", finding.sentence));
  }
  return to_json_text(JsonValue::object().add("schema", "allocgate.doctor/1").add("findings", std::move(array)));
}

}  // namespace

const CommandHelp& CommandDoctor::help() const {
  return k_help;
}

void CommandDoctor::setup(CLI::App& app) {
  add_baseline_folder(app, m_options.baseline);
  m_options.output.setup(app, {"text", "json"});
  // For the doctor's own use: an empty group keeps it out of the help.
  app.add_option("--probe", m_options.probe)->group("");
}

int CommandDoctor::run(const Streams& streams) {
  if (m_options.probe) {
    make_known_allocations(*m_options.probe);
    return static_cast<int>(ExitCode::fine);
  }
  PosixLauncher launcher;
  const std::vector<Finding> findings =
      diagnose(own_installation(), baselines_folder(m_options.baseline, load_configuration({})), launcher);
  deliver(m_options.output.chosen_format() == Format::json
              ? json_of(findings)
              : text_of(findings, result_style(m_options.output, streams.out_is_terminal)),
          m_options.output, streams.out);
  const bool works = std::none_of(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return finding.state == Finding::State::missing; });
  return static_cast<int>(works ? ExitCode::fine : ExitCode::not_measured);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/against_revision.hpp"
#include "cli/command.hpp"
#include "cli/judging.hpp"
#include "cli/measuring_options.hpp"
#include "cli/output_options.hpp"
#include "compare/judge.hpp"
#include "report/verdict_report.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// `allocgate check [RESULT]`: compares with the baseline and gates.
class CommandCheck final : public Command {
public:
  struct Options {
    std::string result;  // empty: measure
    std::string baseline;
    std::string against;
    AgainstRevisionOptions revision;
    std::vector<std::string> thresholds;
    std::vector<std::string> maxima;
    std::string on_improvement = "ignore";
    std::string patch;
    std::string reason;
    std::string on_not_comparable = "fail";
    bool strict = false;
    bool allow_missing_baseline = false;
    std::vector<std::string> accept_blind;
    bool explain = false;     // red verdicts with their call stacks
    bool bisect = false;      // the exit status is for `git bisect run`
    std::string save_result;  // where the measured result goes, too; empty: nowhere
    MeasuringOptions measuring;
    OutputOptions output;
  };

  [[nodiscard]] const Options& options() const { return m_options; }
  /// The options as judge() takes them. Throws Error (64) for a rule that is none.
  [[nodiscard]] JudgeOptions judge_options() const;
  /// The command lines with which a red verdict ends; `program` is how allocgate was called.
  [[nodiscard]] NextSteps steps_for(const Verdict& verdict, const std::string& program) const;

  [[nodiscard]] const CommandHelp& help() const override;
  void setup(CLI::App& app) override;
  void check() override;
  [[nodiscard]] int exit_status_of(ExitCode code) const override;
  void see_words(const std::vector<std::string>& words) override;
  int run(const Streams& streams) override;

private:
  [[nodiscard]] Judged judged(const Streams& streams) const;
  void explain_if_asked(Judged& judged, const Streams& streams) const;
  [[nodiscard]] std::vector<std::string> words_to_measure() const;
  [[nodiscard]] std::vector<std::string> words_to_reproduce(const Verdict& verdict, const std::string& program) const;
  [[nodiscard]] std::string step_to_explain(const Verdict& verdict, const std::string& program,
                                            const std::vector<std::string>& reproduce) const;
  [[nodiscard]] std::string step_to_accept(const Verdict& verdict, const std::string& program) const;

  Options m_options;
};

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/error.hpp"
#include "cli/command_baseline_update.hpp"
#include "cli/command_check.hpp"
#include "cli/command_compare.hpp"
#include "cli/command_run.hpp"
#include "cli/command_stat.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What is wrong with `arguments`; empty when nothing is.
template <typename SomeCommand>
std::string refusal_of(const std::vector<std::string>& arguments) {
  SomeCommand command;
  try {
    parse_arguments(command, arguments);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
  return {};
}

TEST(StatOptions, TakeTheCommandAfterTheirOwn) {
  CommandStat stat;
  EXPECT_EQ(parse_arguments(stat, {"--samples", "3", "--no-children", "--", "ls", "--samples", "-l"}),
            ParsedAs::to_run);
  EXPECT_EQ(stat.options().samples, 3U);
  EXPECT_TRUE(stat.options().no_children);
  EXPECT_THAT(stat.options().command, ElementsAre("ls", "--samples", "-l"));
}

TEST(StatOptions, TheSeparatorMayBeLeftOut) {
  CommandStat stat;
  parse_arguments(stat, {"--level=counts", "ls", "-l", "--help"});
  EXPECT_EQ(stat.options().level, "counts");
  EXPECT_THAT(stat.options().command, ElementsAre("ls", "-l", "--help"));
}

TEST(StatOptions, RefuseWhatCannotBe) {
  EXPECT_THAT(refusal_of<CommandStat>({}), HasSubstr("no command"));
  EXPECT_THAT(refusal_of<CommandStat>({"--"}), HasSubstr("no command"));
  EXPECT_THAT(refusal_of<CommandStat>({"--sampels", "3", "--", "ls"}), HasSubstr("did you mean --samples"));
  EXPECT_THAT(refusal_of<CommandStat>({"--samples", "0", "--", "ls"}), HasSubstr("--samples"));
  EXPECT_THAT(refusal_of<CommandStat>({"--samples", "many", "--", "ls"}), HasSubstr("--samples"));
  EXPECT_THAT(refusal_of<CommandStat>({"--level", "all", "--", "ls"}), HasSubstr("--level"));
  EXPECT_THAT(refusal_of<CommandStat>({"--format", "yaml", "--", "ls"}), HasSubstr("--format"));
  EXPECT_THAT(refusal_of<CommandStat>({"--timeout", "-1", "--", "ls"}), HasSubstr("--timeout"));
  EXPECT_THAT(refusal_of<CommandStat>({"ls-of-mine", "--", "ls"}), HasSubstr("one argument too many"));
}

TEST(StatOptions, HelpIsAskedForBeforeTheCommandOnly) {
  CommandStat stat;
  EXPECT_EQ(parse_arguments(stat, {"--help"}), ParsedAs::help_wanted);
  CommandStat other;
  EXPECT_EQ(parse_arguments(other, {"--", "ls", "--help"}), ParsedAs::to_run);
}

TEST(StatStatus, EndsAsItsCommandAndHasCodesOfItsOwn) {
  LaunchOutcome outcome;
  outcome.exit_code = 7;
  EXPECT_EQ(exit_status_of(outcome), 7);
  outcome.kind = LaunchOutcome::Kind::signalled;
  outcome.signal = 9;
  EXPECT_EQ(exit_status_of(outcome), 137);
  outcome.kind = LaunchOutcome::Kind::timed_out;
  EXPECT_EQ(exit_status_of(outcome), 125);
  outcome.kind = LaunchOutcome::Kind::not_executable;
  EXPECT_EQ(exit_status_of(outcome), 126);
  outcome.kind = LaunchOutcome::Kind::not_found;
  EXPECT_EQ(exit_status_of(outcome), 127);
  const CommandStat stat;
  EXPECT_EQ(stat.exit_status_of(ExitCode::not_measured), 125);
  EXPECT_EQ(stat.exit_status_of(ExitCode::internal_error), 125);
  EXPECT_EQ(stat.exit_status_of(ExitCode::usage), 64);
  EXPECT_EQ(stat.exit_status_of(ExitCode::interrupted), 130);
}

TEST(RunOptions, NamesAndSuitesDoNotSwallowOneAnother) {
  CommandRun run;
  parse_arguments(run, {"--suite", "a", "asio/*", "--suite", "b", "/udp/", "--jobs", "2", "--quick"});
  EXPECT_THAT(run.options().measuring.suites, ElementsAre("a", "b"));
  EXPECT_THAT(run.options().measuring.names, ElementsAre("asio/*", "/udp/"));
  EXPECT_EQ(run.options().measuring.jobs, 2U);
  EXPECT_EQ(run.options().measuring.measure_options({}).processes, 1U);
}

TEST(RunOptions, ThreeProcessesAtLeastUnlessTold) {
  CommandRun run;
  parse_arguments(run, {});
  const MeasureOptions options = run.options().measuring.measure_options({});
  EXPECT_EQ(options.processes, 3U);
  EXPECT_EQ(options.most_processes, 10U);
  EXPECT_FALSE(options.timeout);
  EXPECT_THAT(run.options().measuring.as_arguments(), IsEmpty());
}

TEST(RunOptions, RefuseWhatCannotBe) {
  EXPECT_THAT(refusal_of<CommandRun>({"--iterations", "0"}), HasSubstr("--iterations"));
  EXPECT_THAT(refusal_of<CommandRun>({"--iterations", "-5"}), HasSubstr("--iterations"));
  EXPECT_THAT(refusal_of<CommandRun>({"--iterations", "99999999999999999999"}), HasSubstr("--iterations"));
  EXPECT_THAT(refusal_of<CommandRun>({"--processes", "11"}), HasSubstr("--processes"));
  EXPECT_THAT(refusal_of<CommandRun>({"--jobs", "0"}), HasSubstr("--jobs"));
  EXPECT_THAT(refusal_of<CommandRun>({"--timeout", "nan"}), HasSubstr("--timeout"));
}

TEST(CheckOptions, AreWhatJudgeIsTold) {
  CommandCheck check;
  parse_arguments(check,
                  {"now.json", "--threshold", "allocations=5", "--threshold", "a:allocated_bytes=1%", "--strict",
                   "--on-improvement", "fail", "--on-not-comparable", "warn", "--accept-blind", "a:allocations"});
  EXPECT_EQ(check.options().result, "now.json");
  const JudgeOptions options = check.judge_options();
  EXPECT_EQ(options.rules.size(), 2U);
  EXPECT_EQ(options.on_improvement, OnImprovement::fail);
  EXPECT_TRUE(options.warn_not_comparable);
  EXPECT_TRUE(options.strict);
  EXPECT_FALSE(options.allow_missing_baseline);
  EXPECT_THAT(options.accepted_blind, ElementsAre("a:allocations"));
}

TEST(CheckOptions, RefuseWhatCannotBe) {
  EXPECT_THAT(refusal_of<CommandCheck>({"a.json", "b.json"}), HasSubstr("b.json"));
  EXPECT_THAT(refusal_of<CommandCheck>({"--threshold", "allocations"}), HasSubstr("MEASURE=VALUE"));
  EXPECT_THAT(refusal_of<CommandCheck>({"--against", "a.json", "--baseline", "b"}), HasSubstr("exclude each other"));
  EXPECT_THAT(refusal_of<CommandCheck>({"--on-improvement", "cry"}), HasSubstr("--on-improvement"));
  EXPECT_THAT(refusal_of<CommandCheck>({"--bisekt"}), HasSubstr("did you mean --bisect?"));
}

TEST(CompareOptions, NeedAResult) {
  EXPECT_THAT(refusal_of<CommandCompare>({}), HasSubstr("it takes a result file at least"));
  EXPECT_EQ(refusal_of<CommandCompare>({"a.json"}), "");
  EXPECT_EQ(refusal_of<CommandCompare>({"a.json", "b.json", "--workload", "x", "--measure", "allocations"}), "");
}

TEST(BaselineUpdateOptions, NeedAReason) {
  EXPECT_THAT(refusal_of<CommandBaselineUpdate>({}), HasSubstr("--reason"));
  EXPECT_THAT(refusal_of<CommandBaselineUpdate>({"-m", "  "}), HasSubstr("--reason"));
  EXPECT_THAT(refusal_of<CommandBaselineUpdate>({"-m", "why", "--quick"}), HasSubstr("--quick"));
  EXPECT_THAT(refusal_of<CommandBaselineUpdate>({"-m", "why", "--threshold", "x"}), HasSubstr("threshold"));
  CommandBaselineUpdate update;
  parse_arguments(update, {"-m", "why", "--from", "a.json", "--from", "b.json", "noop", "--accept-leak", "w"});
  EXPECT_THAT(update.options().from, ElementsAre("a.json", "b.json"));
  EXPECT_THAT(update.options().measuring.names, ElementsAre("noop"));
  EXPECT_THAT(update.options().accept_leak, ElementsAre("w"));
}

}  // namespace
}  // namespace allocgate

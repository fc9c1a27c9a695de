// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/verdict_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

Verdict make(VerdictKind kind, std::string workload, std::string measure, ExitCode code = ExitCode::fine) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.workload = std::move(workload);
  verdict.measure = std::move(measure);
  verdict.code = code;
  verdict.sentence = verdict.workload + ": the sentence";
  return verdict;
}

NextSteps steps_of(const Verdict& verdict) {
  return {"reproduce " + verdict.workload, "explain", "accept"};
}

Judgement example() {
  Judgement judgement;
  Verdict regression = make(VerdictKind::regression, "asio/ping", "allocations", ExitCode::regression);
  regression.before = 750;
  regression.after = 760;
  regression.slope_before = Slope{75, 1};
  regression.slope_after = Slope{76, 1};
  Verdict unchanged = make(VerdictKind::unchanged, "noop", "allocations");
  unchanged.before = unchanged.after = 0;
  judgement.verdicts = {regression, make(VerdictKind::unchanged, "asio/ping", "open_fds"), unchanged,
                        make(VerdictKind::not_gated, "noop", "deallocations")};
  judgement.exit_code = ExitCode::regression;
  return judgement;
}

TEST(VerdictReport, EndsEachRedVerdictWithThreeCommandLines) {
  EXPECT_EQ(verdict_report(example(), steps_of, Style(), 80),
            "workload   measure      before  now  change  verdict\n"
            "asio/ping  allocations      75   76      +1  regression\n"
            "noop       allocations       0    0       0  unchanged\n"
            "\n"
            "asio/ping: the sentence\n"
            "  reproduce: reproduce asio/ping\n"
            "  explain:   explain\n"
            "  accept:    accept\n"
            "\n"
            "regression: 1 regression, 1 unchanged; exit code 2\n");
}

TEST(VerdictReport, SaysWhatIsYellowWithoutCommands) {
  Judgement judgement;
  judgement.verdicts = {make(VerdictKind::new_workload, "fresh", "")};
  const std::string text = verdict_report(judgement, steps_of, Style(), 80);
  EXPECT_THAT(text, HasSubstr("fresh: the sentence"));
  EXPECT_THAT(text, Not(HasSubstr("reproduce:")));
  EXPECT_THAT(text, HasSubstr("passed: 1 new; exit code 0\n"));
}

TEST(VerdictReport, ShowsWhatLooksGuardedAndIsNot) {
  Judgement judgement;
  judgement.verdicts = {make(VerdictKind::not_gated, "w", "allocations"),
                        make(VerdictKind::not_gated, "w", "slack_bytes")};
  const std::string text = verdict_report(judgement, steps_of, Style(), 80);
  EXPECT_THAT(text, HasSubstr("w         allocations"));
  EXPECT_THAT(text, Not(HasSubstr("slack_bytes")));
}

TEST(VerdictReport, GravestOfAWorkloadChoosesTheCommands) {
  Judgement judgement;
  judgement.verdicts = {make(VerdictKind::blind, "w", "allocations", ExitCode::blind),
                        make(VerdictKind::leak, "w", "live_allocations", ExitCode::regression)};
  judgement.exit_code = ExitCode::regression;
  std::vector<VerdictKind> asked;
  verdict_report(
      judgement,
      [&asked](const Verdict& verdict) {
        asked.push_back(verdict.kind);
        return NextSteps();
      },
      Style(), 80);
  EXPECT_EQ(asked, std::vector{VerdictKind::leak});
}

TEST(VerdictReport, ShowsAWaivedVerdictWithoutRed) {
  Judgement judgement = example();
  judgement.verdicts[0].code = ExitCode::fine;
  judgement.verdicts[0].waiver = Waiver{"asio/ping", "", "2026-12-31", "Ada", "why"};
  judgement.exit_code = ExitCode::fine;
  const std::string text = verdict_report(judgement, steps_of, Style(), 80);
  EXPECT_THAT(text, HasSubstr("+1  regression, waived\n"));
  EXPECT_THAT(text, Not(HasSubstr("reproduce:")));
  EXPECT_THAT(text, HasSubstr("passed: 1 regression, 1 waived, 1 unchanged; exit code 0\n"));
}

TEST(VerdictReport, CallsAnExpiredWaiverByItsName) {
  Judgement judgement;
  judgement.verdicts = {make(VerdictKind::expired_waiver, "asio/*", "allocations", ExitCode::regression)};
  judgement.exit_code = ExitCode::regression;
  EXPECT_THAT(verdict_report(judgement, steps_of, Style(), 80),
              HasSubstr("expired waiver: 1 expired waiver; exit code 2\n"));
}

TEST(VerdictMarkdown, BeginsWithTheVerdict) {
  const std::string text = verdict_markdown(example(), steps_of);
  EXPECT_EQ(text.find("**allocgate: regression: 1 regression, 1 unchanged; exit code 2**"), 0U);
  EXPECT_THAT(text, HasSubstr("| asio/ping | allocations | 75 | 76 | +1 | regression |"));
}

}  // namespace
}  // namespace allocgate

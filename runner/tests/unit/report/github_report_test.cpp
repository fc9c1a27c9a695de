// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/github_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

Verdict make(VerdictKind kind, std::string workload, ExitCode code) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.workload = std::move(workload);
  verdict.measure = "allocations";
  verdict.code = code;
  verdict.before = 1;
  verdict.after = 2;
  verdict.sentence = verdict.workload + ": the sentence";
  return verdict;
}

NextSteps no_steps(const Verdict& /*verdict*/) {
  return {};
}

std::size_t lines_with(const std::string& text, const std::string& begin) {
  std::size_t count = 0;
  for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
    count += at == 0 || text[at - 1] == '\n' ? 1 : 0;
  }
  return count;
}

TEST(GithubAnnotations, EscapeWhatWouldEndThem) {
  EXPECT_EQ(github_message("100 %\r\nb: c, d"), "100 %25%0D%0Ab: c, d");
  EXPECT_EQ(github_property("a: 5 %, b\n"), "a%3A 5 %25%2C b%0A");
  Judgement judgement;
  Verdict verdict = make(VerdictKind::failed, "w", ExitCode::not_measured);
  verdict.sentence = "w: failed: its last lines:\n::error::injected\n::stop-commands::x";
  judgement.verdicts = {verdict};
  EXPECT_EQ(github_annotations(judgement),
            "::error title=allocgate%3A failed::w: failed: its last lines:%0A::error::injected%0A::stop-commands::x\n");
}

TEST(GithubAnnotations, HaveALevelByGravity) {
  Judgement judgement;
  judgement.verdicts = {
      make(VerdictKind::unchanged, "a", ExitCode::fine), make(VerdictKind::improvement, "b", ExitCode::fine),
      make(VerdictKind::not_gated, "c", ExitCode::fine), make(VerdictKind::regression, "d", ExitCode::regression)};
  const std::string text = github_annotations(judgement);
  EXPECT_THAT(text, StartsWith("::error title=allocgate%3A regression::d: "));
  EXPECT_THAT(text, HasSubstr("\n::warning title=allocgate%3A not gated::c: "));
  EXPECT_THAT(text, HasSubstr("\n::notice title=allocgate%3A improvement::b: "));
  EXPECT_THAT(text, Not(HasSubstr("::a: ")));
}

TEST(GithubAnnotations, AreTenOfALevelTheGravestFirstAndSayHowManyMore) {
  Judgement judgement;
  for (int i = 0; i < 20; ++i) {
    judgement.verdicts.push_back(make(VerdictKind::missing, "m" + std::to_string(i), ExitCode::not_measured));
  }
  judgement.verdicts.push_back(make(VerdictKind::regression, "last", ExitCode::regression));
  const std::string text = github_annotations(judgement);
  EXPECT_EQ(lines_with(text, "::error "), 10U);
  EXPECT_THAT(text, StartsWith("::error title=allocgate%3A regression::last: "));
  EXPECT_THAT(text, HasSubstr("::12 more are not shown"));
  judgement.verdicts.erase(judgement.verdicts.begin(), judgement.verdicts.begin() + 11);
  EXPECT_EQ(lines_with(github_annotations(judgement), "::error "), 10U);
  EXPECT_THAT(github_annotations(judgement), Not(HasSubstr("more are not shown")));
}

TEST(GithubSummary, KeepsToItsBudgetByRank) {
  Judgement judgement;
  for (int i = 0; i < 300; ++i) {
    judgement.verdicts.push_back(make(VerdictKind::unchanged, "quiet" + std::to_string(i), ExitCode::fine));
  }
  judgement.verdicts.push_back(make(VerdictKind::regression, "red", ExitCode::regression));
  judgement.exit_code = ExitCode::regression;
  const std::string whole = github_summary(judgement, no_steps, k_github_summary_bytes);
  EXPECT_THAT(whole, HasSubstr("quiet299"));
  EXPECT_THAT(whole, Not(HasSubstr("holds no more")));
  for (const std::size_t budget : {whole.size(), whole.size() - 1, whole.size() / 2, std::size_t{1000}}) {
    const std::string part = github_summary(judgement, no_steps, budget);
    EXPECT_LE(part.size(), budget);
    EXPECT_THAT(part, HasSubstr("| red |")) << budget;
    EXPECT_EQ(part.find("holds no more") != std::string::npos, budget < whole.size()) << budget;
  }
  EXPECT_THAT(github_summary(judgement, no_steps, 10), IsEmpty());
}

TEST(CutToLines, KeepsWholeLinesAndSaysSo) {
  EXPECT_EQ(cut_to_lines("a\nb\n", 4), "a\nb\n");
  std::string text;
  for (int i = 0; i < 100; ++i) {
    text += "line " + std::to_string(i) + "\n";
  }
  const std::string cut = cut_to_lines(text, 200);
  EXPECT_LE(cut.size(), 200U);
  EXPECT_THAT(cut, StartsWith("line 0\n"));
  EXPECT_THAT(cut, HasSubstr("holds no more"));
  EXPECT_THAT(cut_to_lines(text, 10), IsEmpty());
}

}  // namespace
}  // namespace allocgate

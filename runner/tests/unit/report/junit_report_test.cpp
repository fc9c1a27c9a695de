// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/junit_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace allocgate {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

using namespace std::string_literals;

constexpr const char* k_unknown = "\xEF\xBF\xBD";

Verdict make(VerdictKind kind, ExitCode code, std::string measure = "allocations") {
  Verdict verdict;
  verdict.kind = kind;
  verdict.code = code;
  verdict.suite = "suite";
  verdict.workload = "w";
  verdict.measure = std::move(measure);
  verdict.sentence = "the sentence\nand its second line";
  return verdict;
}

std::string report_of(const std::vector<Verdict>& verdicts) {
  Judgement judgement;
  judgement.verdicts = verdicts;
  return junit_report(Result(), judgement);
}

TEST(XmlEscaped, EscapesMarkup) {
  EXPECT_EQ(xml_escaped("a < b > c & \"d\""), "a &lt; b &gt; c &amp; &quot;d&quot;");
  EXPECT_EQ(xml_escaped("a\tb\nc\rd"), "a&#9;b\nc&#13;d");
}

TEST(XmlEscaped, ReplacesWhatXmlCannotHold) {
  EXPECT_EQ(xml_escaped("\0\x01\x1B[31m\x7F"s), std::string(k_unknown) + k_unknown + k_unknown + "[31m\x7F");
  EXPECT_EQ(xml_escaped("\xEF\xBF\xBE"), k_unknown);  // U+FFFE
  EXPECT_EQ(xml_escaped("\xED\xA0\x80"), k_unknown);  // a surrogate
  EXPECT_EQ(xml_escaped("\xC3\xA9\xF0\x9F\x98\x80"), "\xC3\xA9\xF0\x9F\x98\x80");
}

TEST(XmlEscaped, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(xml_escaped("a\xFFz"), std::string("a") + k_unknown + "z");
  EXPECT_EQ(xml_escaped("a\xC3"), std::string("a") + k_unknown);
  EXPECT_EQ(xml_escaped("\xC0\x80"), std::string(k_unknown) + k_unknown);  // an overlong 0
  EXPECT_EQ(xml_escaped("\xF4\x90\x80\x80"), std::string(k_unknown) + k_unknown + k_unknown + k_unknown);
}

struct OutcomeCase {
  VerdictKind kind;
  ExitCode code;
  const char* element;  // nullptr: passed
};

class JunitOutcome : public testing::TestWithParam<OutcomeCase> {};

TEST_P(JunitOutcome, IsTheRightElement) {
  const auto& [kind, code, element] = GetParam();
  const std::string text = report_of({make(kind, code)});
  for (const char* tag : {"failure", "error", "skipped"}) {
    const std::string opened = std::string("<") + tag + " ";
    const std::string count = std::string(tag) + (tag == "skipped"s ? "" : "s") + "=\"1\"";
    const bool wanted = element != nullptr && element == std::string(tag);
    EXPECT_EQ(text.find(opened) != std::string::npos, wanted) << tag << "\n" << text;
    EXPECT_EQ(text.find(count) != std::string::npos, wanted) << tag << "\n" << text;
  }
  EXPECT_THAT(text, HasSubstr("tests=\"1\""));
}

INSTANTIATE_TEST_SUITE_P(Verdicts, JunitOutcome,
                         testing::Values(OutcomeCase{VerdictKind::unchanged, ExitCode::fine, nullptr},
                                         OutcomeCase{VerdictKind::improvement, ExitCode::fine, nullptr},
                                         OutcomeCase{VerdictKind::improvement, ExitCode::improvement, "failure"},
                                         OutcomeCase{VerdictKind::regression, ExitCode::regression, "failure"},
                                         OutcomeCase{VerdictKind::regression, ExitCode::fine, "skipped"},
                                         OutcomeCase{VerdictKind::leak, ExitCode::regression, "failure"},
                                         OutcomeCase{VerdictKind::new_workload, ExitCode::fine, "skipped"},
                                         OutcomeCase{VerdictKind::new_workload, ExitCode::no_baseline, "error"},
                                         OutcomeCase{VerdictKind::missing, ExitCode::not_measured, "error"},
                                         OutcomeCase{VerdictKind::blind, ExitCode::blind, "error"},
                                         OutcomeCase{VerdictKind::failed, ExitCode::not_measured, "error"},
                                         OutcomeCase{VerdictKind::unstable, ExitCode::fine, "skipped"},
                                         OutcomeCase{VerdictKind::not_comparable, ExitCode::fine, "skipped"},
                                         OutcomeCase{VerdictKind::not_comparable, ExitCode::not_comparable, "error"},
                                         OutcomeCase{VerdictKind::not_gated, ExitCode::fine, "skipped"},
                                         OutcomeCase{VerdictKind::no_baseline, ExitCode::no_baseline, "error"}));

TEST(JunitReport, SaysEverythingInTheText) {
  Verdict verdict = make(VerdictKind::regression, ExitCode::regression);
  verdict.next = NextSteps{"check <again>", "look", "accept"};
  const std::string text = report_of({verdict});
  EXPECT_THAT(text, HasSubstr("<testcase classname=\"allocgate.suite\" name=\"w allocations\">"));
  EXPECT_THAT(text, HasSubstr("message=\"the sentence\" type=\"regression\">the sentence\nand its second line\n"
                              "reproduce: check &lt;again&gt;\nexplain:   look\naccept:    accept</failure>"));
}

TEST(JunitReport, LeavesOutWhatNobodyGates) {
  const std::string text = report_of({make(VerdictKind::not_gated, ExitCode::fine, "slack_bytes"),
                                      make(VerdictKind::not_gated, ExitCode::fine, "allocations")});
  EXPECT_THAT(text, Not(HasSubstr("slack_bytes")));
  EXPECT_THAT(text, HasSubstr("tests=\"1\""));
}

TEST(JunitReport, HasNoTwoCasesOfOneName) {
  const Verdict verdict = make(VerdictKind::unchanged, ExitCode::fine);
  const std::string text = report_of({verdict, make(VerdictKind::regression, ExitCode::regression)});
  EXPECT_THAT(text, HasSubstr("name=\"w allocations\">"));
  EXPECT_THAT(text, HasSubstr("name=\"w allocations (2)\">"));
}

}  // namespace
}  // namespace allocgate

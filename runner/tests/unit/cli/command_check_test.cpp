// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/command_check.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

Verdict verdict_of(VerdictKind kind) {
  Verdict verdict;
  verdict.kind = kind;
  verdict.workload = "it's a name";
  verdict.measure = "allocations";
  return verdict;
}

NextSteps steps_of(const std::vector<std::string>& arguments, VerdictKind kind) {
  CommandCheck check;
  parse_arguments(check, arguments);
  return check.steps_for(verdict_of(kind), "allocgate");
}

TEST(NextSteps, CanBePasted) {
  const NextSteps steps = steps_of({}, VerdictKind::regression);
  EXPECT_EQ(steps.reproduce, R"(allocgate check --workload 'it'\''s a name')");
  EXPECT_EQ(steps.explain, R"(allocgate check --workload 'it'\''s a name' --explain)");
  EXPECT_EQ(steps.accept, R"(allocgate baseline update --reason 'say why' 'it'\''s a name')");
}

TEST(NextSteps, CarryTheOptionsThatMatter) {
  const NextSteps steps =
      steps_of({"--suite", "./b x", "--baseline", "dir", "--threshold", "allocations=1%"}, VerdictKind::leak);
  EXPECT_EQ(steps.reproduce,
            R"(allocgate check --baseline dir --suite './b x' --workload 'it'\''s a name' --threshold allocations=1%)");
  EXPECT_EQ(
      steps.accept,
      R"(allocgate baseline update --reason 'say why' --baseline dir --suite './b x' --accept-leak 'it'\''s a name' 'it'\''s a name')");
}

TEST(NextSteps, StayWithAResultFile) {
  const NextSteps steps = steps_of({"now.json"}, VerdictKind::unstable);
  EXPECT_EQ(steps.reproduce, R"(allocgate check now.json --workload 'it'\''s a name')");
  EXPECT_EQ(
      steps.accept,
      R"(allocgate baseline update --reason 'say why' --from now.json --accept-unstable 'it'\''s a name' 'it'\''s a name')");
}

TEST(NextSteps, DoNotOfferToAcceptAFailure) {
  EXPECT_EQ(steps_of({}, VerdictKind::failed).accept.find("not possible"), 0U);
}

}  // namespace
}  // namespace allocgate

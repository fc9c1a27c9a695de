// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/foreign.hpp"

#include "exchange/refused.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

TEST(GuessForeignFormat, GoesByTheText) {
  EXPECT_EQ(guess_foreign_format("{\"1000_addHandlers\": 44050}", "5.10.json"), ForeignFormat::swift_nio_limits);
  EXPECT_EQ(guess_foreign_format("\n x: MAX_ALLOCS_ALLOWED_a=1\n", "docker-compose.yaml"),
            ForeignFormat::swift_nio_limits);
  EXPECT_EQ(guess_foreign_format("make: nothing\ntest_a.total_allocations: 1\nexport MAX_ALLOCS_ALLOWED_a=1\n", "log"),
            ForeignFormat::swift_nio_log);
  EXPECT_EQ(guess_foreign_format("{\"mallocCountTotal\": 387}", "T.B.p90.json"), ForeignFormat::package_benchmark);
  EXPECT_EQ(guess_foreign_format("{\"mallocCountTotal\": 387}", "renamed.json"), ForeignFormat::package_benchmark);
  EXPECT_THAT(refusal_of([] { guess_foreign_format("int main() {}\n", "main.c"); }), HasSubstr("main.c: line 1: "));
  EXPECT_THAT(refusal_of([] { guess_foreign_format("", "empty"); }), HasSubstr("--as"));
  EXPECT_THAT(refusal_of([] { guess_foreign_format("{\"a\": ", "cut.json"); }), HasSubstr("cut.json: line 1"));
  EXPECT_THAT(refusal_of([] { guess_foreign_format("{\"schema\": \"allocgate.result/1\"}", "own.json"); }),
              HasSubstr("baseline update --from"));
}

TEST(ReadForeign, RefusesAFileWithNothingInIt) {
  for (const ForeignFormatInfo& info : all_foreign_formats()) {
    const bool lines = info.format == ForeignFormat::swift_nio_log;
    EXPECT_THAT(refusal_of([&] { read_foreign(info.format, lines ? "nothing\n" : "{}", "T.B.p90.json"); }),
                HasSubstr(std::string(info.name)))
        << info.name;
  }
}

ForeignFile file_of(const char* text, const char* name) {
  return read_foreign(guess_foreign_format(text, name), text, name);
}

TEST(MergeForeign, CompletesALimitByWhatWasObserved) {
  const std::vector<ForeignFile> files = {file_of("test_a.total_allocations: 4000\n", "log"),
                                          file_of("{\"a\": 4050, \"b\": 9}", "limits.json")};
  const ForeignSuites suites = merge_foreign(files, "nio");
  const auto& workloads = suites.at("nio");
  EXPECT_EQ(workloads.at("a").at("allocations").value, 4000);
  EXPECT_EQ(workloads.at("a").at("allocations").limit->range->highest, 4050);
  EXPECT_EQ(workloads.at("b").at("allocations").value, 9);
}

TEST(MergeForeign, TakesTheSameTwiceAndRefusesWhatDiffers) {
  const ForeignFile first = file_of("{\"a\": 4050}", "5.10.json");
  EXPECT_EQ(merge_foreign(std::vector{first, file_of("MAX_ALLOCS_ALLOWED_a=4050\n", "env")}, "nio").size(), 1U);
  EXPECT_THAT(refusal_of([&] {
                merge_foreign(std::vector{first, file_of("\n{\"a\": 4100}", "6.1.json")}, "nio");
              }),
              HasSubstr("6.1.json: line 2: the limit of a allocations is another one in 5.10.json: line 1"));
  const ForeignFile log = file_of("test_a.total_allocations: 1\ntest_a.total_allocations: 2\n", "log");
  EXPECT_THAT(refusal_of([&] { merge_foreign(std::vector{log}, "nio"); }),
              HasSubstr("log: line 2: a allocations is 2 here and 1 in log: line 1"));
}

}  // namespace
}  // namespace allocgate

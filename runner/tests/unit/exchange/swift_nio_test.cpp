// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/swift_nio.hpp"

#include "compare/rules.hpp"
#include "example_documents.hpp"
#include "exchange/refused.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// As the counter tests print it.
constexpr const char* k_log =
    "Working directory: /tmp/.nio_alloc_counter_tests_Ab12Cd\n"
    "- /path/test_widget.swift\n"
    "test_widget_small.total_allocations: 4000\n"
    "test_widget_small.remaining_allocations: 0\n"
    "test_widget_small.total_allocated_bytes: 96000\n"
    "test_widget_small.leaked_fds: 0\n"
    "DEBUG: [(total_allocations: 4000, remaining: 0)]\n"
    "DEBUG: After waiting 7 times, we quiesced to unfreeds=3\n"
    "WARNING: Giving up, shouldReachZero=true, unfreeds=3\n"
    "WARNING: negative remaining allocation count, skipping.\n";

// As the script that checks them prints it.
constexpr const char* k_checked =
    "info: widget_small: allocations not freed: 0\n"
    "info: widget_small: total number of mallocs: 4000\n"
    "info: widget_small: leaked fds: 0\n"
    "info: observed allocations: { \"widget_small\": 4000, }\n";

std::vector<std::string> values_in(const ForeignFile& file) {
  std::vector<std::string> texts;
  for (const ForeignValue& value : file.values) {
    std::string text = fmt::format("{} {}", value.workload, value.measure);
    text += value.observed ? fmt::format(" {}", *value.observed) : "";
    text += value.limit ? fmt::format(" in {}..{}", value.limit->range->lowest, value.limit->range->highest) : "";
    texts.push_back(text + fmt::format(", line {}", value.line));
  }
  return texts;
}

TEST(SwiftNioLog, IsReadAsItIsPrinted) {
  const ForeignFile read = read_swift_nio_log(k_log, "log");
  EXPECT_THAT(values_in(read),
              ElementsAre("widget_small allocations 4000, line 3", "widget_small live_allocations 0 in -4..4, line 4",
                          "widget_small allocated_bytes 96000, line 5", "widget_small open_fds 0 in 0..0, line 6"));
  EXPECT_THAT(read.notes, IsEmpty());
}

TEST(SwiftNioLog, IsReadAsTheScriptPrintsIt) {
  EXPECT_THAT(values_in(read_swift_nio_log(k_checked, "log")),
              ElementsAre("widget_small live_allocations 0 in -4..4, line 1", "widget_small allocations 4000, line 2",
                          "widget_small open_fds 0 in 0..0, line 3"));
}

TEST(SwiftNioLog, MayHaveTheLineEndsOfAnotherSystem) {
  EXPECT_THAT(values_in(read_swift_nio_log("test_a.total_allocations: 7\r\n", "log")),
              ElementsAre("a allocations 7, line 1"));
}

TEST(SwiftNioLog, SaysWhatItLeavesOut) {
  const ForeignFile read = read_swift_nio_log("test_a.total_allocations: 7\ntest_a.wallclock: 3\n", "log");
  EXPECT_THAT(read.notes, ElementsAre(HasSubstr("log: line 2: wallclock of a has no measure of ours")));
}

TEST(SwiftNioLog, OfWhichTheEndIsCutIsRefused) {
  const std::string whole = "test_a.total_allocations: 4000\n";
  for (std::size_t size = std::string("test_a.t").size(); size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    EXPECT_THAT(refusal_of([&] { read_swift_nio_log(cut, "log"); }), HasSubstr("log: line 1: ")) << cut;
  }
}

TEST(SwiftNioLog, WithNoValidRunOrNoNumberIsRefused) {
  EXPECT_THAT(refusal_of([] { read_swift_nio_log("\ntest_a.total_allocations: -1\n", "log"); }),
              HasSubstr("log: line 2: total_allocations of a is -1: no run of it was valid"));
  EXPECT_THAT(refusal_of([] { read_swift_nio_log("test_a.total_allocations: many\n", "log"); }),
              HasSubstr("log: line 1: 'many' is no number"));
  EXPECT_THAT(refusal_of([] { read_swift_nio_log("test_a.total_allocations\n", "log"); }), HasSubstr("has no number"));
}

TEST(SwiftNioLimits, AreReadFromShellAndComposeFiles) {
  const char* text =
      "services:\n"
      "  test:\n"
      "    environment:\n"
      "      - MAX_ALLOCS_ALLOWED_1000_addHandlers=44050\n"
      "      - \"MAX_ALLOCS_ALLOWED_1000_getHandlers=8050\"\n"
      "      MAX_ALLOCS_ALLOWED_mapped: \"35\"\n"
      "      # MAX_ALLOCS_ALLOWED_comment=x\n"
      "export MAX_ALLOCS_ALLOWED_exported='0' # why\n";
  EXPECT_THAT(values_in(read_swift_nio_limits(text, "compose")),
              ElementsAre("1000_addHandlers allocations in 43051..44050, line 4",
                          "1000_getHandlers allocations in 7051..8050, line 5", "mapped allocations in 0..35, line 6",
                          "exported allocations in 0..0, line 8"));
}

TEST(SwiftNioLimits, AreReadFromFlatJson) {
  EXPECT_THAT(values_in(read_swift_nio_limits("{\n  \"a\": 4050,\n  \"b\": 35\n}\n", "6.1.json")),
              ElementsAre("a allocations in 3051..4050, line 2", "b allocations in 0..35, line 3"));
}

// What the script does: it fails above the limit, and at or below the limit less 1000.
TEST(SwiftNioLimits, AllowWhatTheScriptAllows) {
  for (const Count limit : {0, 35, 999, 1000, 1001, 4050}) {
    const ForeignFile read = read_swift_nio_limits(fmt::format("MAX_ALLOCS_ALLOWED_a={}\n", limit), "f");
    for (const Count observed : {Count{0}, limit - 1001, limit - 1000, limit - 999, limit - 1, limit, limit + 1}) {
      if (observed < 0) {
        continue;
      }
      const bool passes_there = observed <= limit && observed > limit - 1000;
      const Change change = change_under(*read.values.at(0).limit, Better::lower, limit, observed);
      EXPECT_EQ(change == Change::within, passes_there) << limit << " " << observed;
      EXPECT_EQ(change == Change::worse, observed > limit) << limit << " " << observed;
    }
  }
}

TEST(SwiftNioLimits, ThatAreDamagedAreRefusedWithTheirLine) {
  for (const char* line : {"MAX_ALLOCS_ALLOWED_a=", "MAX_ALLOCS_ALLOWED_a=x", "MAX_ALLOCS_ALLOWED_a",
                           "MAX_ALLOCS_ALLOWED_=3", "MAX_ALLOCS_ALLOWED_a=-3", "MAX_ALLOCS_ALLOWED_a=${LIMIT:-3}",
                           "MAX_ALLOCS_ALLOWED_a=3 4", "MAX_ALLOCS_ALLOWED_a=99999999999999999999"}) {
    EXPECT_THAT(refusal_of([&] { read_swift_nio_limits(fmt::format("x\n{}\n", line), "f"); }), HasSubstr("f: line 2: "))
        << line;
  }
  EXPECT_THAT(refusal_of([] { read_swift_nio_limits("MAX_ALLOCS_ALLOWED_a=30", "f"); }), HasSubstr("may be cut"));
  for (const char* json : {"{\"a\": 4050, }", "{\"a\": \"4050\"}", "{\"a\": null}", "{\"a\": 1.5}", "{\"a\": -1}",
                           "{\"a\": 1", "{\"a\": 1, \"a\": 2}", "{\"\": 1}", "{\"a\": {\"b\": 1}}"}) {
    EXPECT_THAT(refusal_of([&] { read_swift_nio_limits(json, "f"); }), HasSubstr("f: line 1, column ")) << json;
  }
}

TEST(SwiftNioLimits, AreWrittenAsTheUpdateScriptWritesThem) {
  EXPECT_EQ(swift_nio_limit(0), 0);
  EXPECT_EQ(swift_nio_limit(999), 999);
  EXPECT_EQ(swift_nio_limit(1000), 1050);
  EXPECT_EQ(swift_nio_limit(3999), 4000);
  EXPECT_EQ(swift_nio_limit(4000), 4050);
  EXPECT_EQ(swift_nio_limit(4050), 4100);
}

Result widget() {
  return result_with({example_workload("widget small", {{"allocations", exact_series(4000)},
                                                        {"live_allocations", exact_series(0)},
                                                        {"allocated_bytes", exact_series(96000)},
                                                        {"open_fds", exact_series(0)}}),
                      example_workload("a/b", {{"allocations", spread_series(SeriesClass::noisy, 7, 8, 9)}})});
}

TEST(SwiftNioLog, IsWrittenAndReadBack) {
  const ForeignText made = swift_nio_log(widget());
  EXPECT_EQ(made.text,
            "test_a_b.total_allocations: 7\n"
            "test_widget_small.remaining_allocations: 0\n"
            "test_widget_small.total_allocations: 4000\n"
            "test_widget_small.total_allocated_bytes: 96000\n"
            "test_widget_small.leaked_fds: 0\n");
  EXPECT_EQ(read_swift_nio_log(made.text, "log").values.size(), 5U);
}

TEST(SwiftNioLimits, AreWrittenAndReadBack) {
  const ForeignText made = swift_nio_limits(widget());
  EXPECT_EQ(made.text, "{\n  \"a_b\": 7,\n  \"widget_small\": 4050\n}\n");
  EXPECT_THAT(values_in(read_swift_nio_limits(made.text, "f")),
              ElementsAre("a_b allocations in 0..7, line 2", "widget_small allocations in 3051..4050, line 3"));
}

TEST(SwiftNioLog, LeavesOutWhatWasNotMeasuredAndSaysSo) {
  Result result = widget();
  result.workloads[0].status = WorkloadStatus::blind;
  EXPECT_THAT(swift_nio_log(result).left_out, ElementsAre(HasSubstr("widget small is left out")));
  EXPECT_THAT(swift_nio_log(result).text, Not(HasSubstr("widget")));
}

TEST(SwiftNioLog, HasNoNameForTwo) {
  const Result result =
      result_with({example_workload("a/b", {{"allocations", exact_series(1)}}), example_workload("a:b", {})});
  EXPECT_THROW(swift_nio_log(result), Error);
  EXPECT_THROW(swift_nio_limits(result), Error);
}

}  // namespace
}  // namespace allocgate

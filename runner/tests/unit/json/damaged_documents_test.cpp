// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"

#include "base/error.hpp"
#include "example_documents.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace allocgate {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

enum class Format { result, baseline, configuration };

std::string good(Format format) {
  switch (format) {
    case Format::result:
      return result_to_json(full_result());
    case Format::baseline:
      return baseline_to_json(full_baseline());
    case Format::configuration:
      break;
  }
  return configuration_to_json(full_configuration());
}

std::string remedy(Format format) {
  switch (format) {
    case Format::result:
      return "`allocgate run`";
    case Format::baseline:
      return "`allocgate baseline update`";
    case Format::configuration:
      break;
  }
  return "`allocgate init`";
}

// The message of the refusal; empty when the text was accepted.
std::string refusal(Format format, const std::string& text) {
  try {
    if (format == Format::result) {
      (void)result_from_json(text, "some/file.json");
    } else if (format == Format::baseline) {
      (void)baseline_from_json(text, "some/file.json");
    } else {
      (void)configuration_from_json(text, "some/file.json");
    }
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unreadable_input);
    return error.what();
  }
  return {};
}

std::string with(Format format, const std::string& from, const std::string& to) {
  std::string text = good(format);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

class Damaged : public testing::TestWithParam<Format> {};

TEST_P(Damaged, CutAtAnyByteIsRefused) {
  const std::string whole = good(GetParam());
  ASSERT_EQ(refusal(GetParam(), whole), "");
  // The last byte ends the last line, which a file that people write need not have.
  const std::size_t last = GetParam() == Format::configuration ? whole.size() - 1 : whole.size();
  for (std::size_t size = 0; size < last; ++size) {
    const std::string message = refusal(GetParam(), whole.substr(0, size));
    ASSERT_THAT(message, StartsWith("some/file.json: line ")) << "cut at byte " << size;
  }
}

TEST_P(Damaged, AByteReplacedByAControlCharacterIsRefused) {
  constexpr std::size_t k_step = 11;  // prime, so that all kinds of places are met
  const std::string whole = good(GetParam());
  for (std::size_t at = 0; at < whole.size(); at += k_step) {
    std::string text = whole;
    text[at] = '\x01';
    ASSERT_THAT(refusal(GetParam(), text), StartsWith("some/file.json: line ")) << "byte " << at;
  }
}

TEST_P(Damaged, MoreAfterTheEndIsRefused) {
  EXPECT_THAT(refusal(GetParam(), good(GetParam()) + good(GetParam())), StartsWith("some/file.json: line "));
  EXPECT_EQ(refusal(GetParam(), good(GetParam()) + "\n \n"), "");
}

TEST_P(Damaged, NotOurDocumentIsRefusedByName) {
  EXPECT_THAT(refusal(GetParam(), ""), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal(GetParam(), " \n"), HasSubstr("the file is empty"));
  EXPECT_THAT(refusal(GetParam(), "{}"), HasSubstr("it has no \"schema\""));
  EXPECT_THAT(refusal(GetParam(), "[]"), HasSubstr("an object is wanted here, and this is a list"));
  EXPECT_THAT(refusal(GetParam(), "null"), HasSubstr("an object is wanted here, and this is null"));
  EXPECT_THAT(refusal(GetParam(), "{\"schema\": 1}"), HasSubstr("(/schema): a text is wanted here"));
  EXPECT_THAT(refusal(GetParam(), "{\"schema\": \"other/1\"}"), HasSubstr("this is \"other/1\", and allocgate."));
}

TEST_P(Damaged, DeepNestingIsRefusedWithoutExhaustingTheStack) {
  EXPECT_THAT(refusal(GetParam(), std::string(1'000'000, '[')), HasSubstr("nested more than 64 levels"));
}

std::string name_of_format(const testing::TestParamInfo<Format>& tested) {
  switch (tested.param) {
    case Format::result:
      return "result";
    case Format::baseline:
      return "baseline";
    case Format::configuration:
      break;
  }
  return "configuration";
}

INSTANTIATE_TEST_SUITE_P(Formats, Damaged, testing::Values(Format::result, Format::baseline, Format::configuration),
                         name_of_format);

struct Damage {
  Format format;
  std::string from;
  std::string to;
  std::string place;
  std::string reason;
};

class DamagedField : public testing::TestWithParam<Damage> {};

TEST_P(DamagedField, IsRefusedWithPlaceAndReason) {
  const Damage& damage = GetParam();
  const std::string message = refusal(damage.format, with(damage.format, damage.from, damage.to));
  EXPECT_THAT(message, StartsWith("some/file.json: line "));
  EXPECT_THAT(message, HasSubstr("(" + damage.place + "): "));
  EXPECT_THAT(message, HasSubstr(damage.reason));
  EXPECT_THAT(message, HasSubstr(remedy(damage.format)));
}

const std::string k_first_series = "/workloads/0/measures/allocations";

INSTANTIATE_TEST_SUITE_P(
    Results, DamagedField,
    testing::Values(
        Damage{Format::result, "allocgate.result/1", "allocgate.result/2", "/schema",
               "this is version \"2\" of allocgate.result, and this allocgate reads version 1"},
        Damage{Format::result, "allocgate.result/1", "allocgate.baseline/1", "/schema",
               "this is \"allocgate.baseline/1\", and allocgate.result/1 is wanted"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 200211.5", k_first_series + "/median",
               "an integer is wanted here, and this is a number with a fraction"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 2e5", k_first_series + "/median",
               "an integer is wanted here"},
        Damage{Format::result, "\"median\": 200211", "\"median\": -1", k_first_series + "/median",
               "-1 is negative, which allocations cannot be"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 9223372036854775808", k_first_series + "/median",
               "9223372036854775808 does not fit into 64 bits with a sign"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 99999999999999999999999", k_first_series + "/median",
               "99999999999999999999999 does not fit"},
        Damage{Format::result, "\"median\": 200211", "\"median\": -99999999999999999999999", k_first_series + "/median",
               "does not fit"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 1e400", k_first_series + "/median", "1e400"},
        Damage{Format::result, "\"median\": 200211", "\"median\": NaN", k_first_series + "/median",
               "NaN is not a number of JSON"},
        Damage{Format::result, "\"median\": 200211", "\"median\": -Infinity", k_first_series + "/median",
               "-Infinity is not a number of JSON"},
        Damage{Format::result, "\"median\": 200211", "\"median\": \"200211\"", k_first_series + "/median",
               "an integer is wanted here, and this is a text"},
        Damage{Format::result, "\"median\": 200211", "\"median\": null", k_first_series + "/median",
               "an integer is wanted here, and this is null"},
        Damage{Format::result, "\"median\": 200211", "\"median\": 1, \"median\": 2", k_first_series + "/median",
               "this name is there twice"},
        Damage{Format::result, "\"median\": 200211,", "", k_first_series, "\"median\" is missing in this object"},
        Damage{Format::result, "\"class\": \"exact\"", "\"class\": \"precise\"", k_first_series + "/class",
               "\"precise\" is none of: exact, stable, noisy"},
        Damage{Format::result, "\"times\": 3", "\"times\": 0", k_first_series + "/samples/0/times",
               "this must be at least 1"},
        Damage{Format::result, "\"iterations\": 10", "\"iterations\": 0", "/workloads/0/iterations",
               "this must be at least 1"},
        Damage{Format::result, "\"name\": \"broken\"", "\"name\": \"\"", "/workloads/1/name", "must not be empty"},
        Damage{Format::result, "\"name\": \"broken\"", "\"name\": \"asio/ping \\\"quoted\\\" \xC3\xA9\"",
               "/workloads/1/name", "is there twice"},
        Damage{Format::result, "\"3-4\"", "\"3-5\"", "/workloads/0/size_classes/3-5", "is not a class of sizes"},
        Damage{Format::result, "\"exit_code\": 0", "\"exit_code\": 9999999999", "/workloads/0/processes/0/exit_code",
               "is not an exit code"},
        Damage{Format::result, "\"allocations\": 200211", "\"allocations\": -3",
               "/workloads/0/processes/0/measures/allocations", "negative"}));

INSTANTIATE_TEST_SUITE_P(
    Baselines, DamagedField,
    testing::Values(
        Damage{Format::baseline, "\"percent\": 1.5", "\"percnt\": 1.5",
               "/workloads/another/measures/allocations/percnt",
               "\"percnt\" is not a field of this object (did you mean percent?)"},
        Damage{Format::baseline, "\"percent\": 1.5", "\"percent\": -1",
               "/workloads/another/measures/allocations/percent", "a percentage is between"},
        Damage{Format::baseline, "\"percent\": 1.5", "\"percent\": 0.0001",
               "/workloads/another/measures/allocations/percent", "at most three decimals"},
        Damage{Format::baseline, "\"percent\": 1.5", "\"range\": {\"lowest\": 1, \"highest\": 2}",
               "/workloads/another/measures/allocations/absolute", "range and absolute do not go together"},
        Damage{Format::baseline, "\"absolute\": 5", "\"per_iteration_thousandths\": 5",
               "/workloads/another/measures/allocations/per_iteration_thousandths",
               "percent and per_iteration_thousandths do not go together"},
        Damage{Format::baseline, "\"absolute\": 5", "\"absolute\": -5",
               "/workloads/another/measures/allocations/absolute", "-5 is negative"},
        Damage{Format::baseline, "\"lowest\": 900", "\"lowest\": 1101",
               "/workloads/another/measures/allocated_bytes/range", "its lowest value is above its highest"},
        Damage{Format::baseline, "\"value\": 1002", "\"value\": 1000",
               "/workloads/another/measures/allocated_bytes/samples/1", "ascending order"},
        Damage{Format::baseline, "\"asio/ping\"", "\"another\"", "/workloads/another", "this name is there twice"},
        Damage{Format::baseline, "\"leak_accepted\": true", "\"leak_accepted\": 1",
               "/workloads/another/measures/live_allocations/leak_accepted", "true or false is wanted"},
        Damage{Format::baseline, "\"iterations\": 1\n", "\"iterations\": 0\n",
               "/workloads/another/measures/allocations/slope/iterations", "at least 1"},
        Damage{Format::baseline, "\"suite\": \"suite\"", "\"suite\": \"suite\", \"tolerance\": 3", "/tolerance",
               "\"tolerance\" is not a field"},
        Damage{Format::baseline, "\"os\": \"debian12\"", "\"os\": 12", "/testbed/os", "a text is wanted here"}));

INSTANTIATE_TEST_SUITE_P(
    Configurations, DamagedField,
    testing::Values(
        Damage{Format::configuration, "\"workloads\"", "\"worklods\"", "/worklods", "(did you mean workloads?)"},
        Damage{Format::configuration, "\"exercises\"", "\"exercizes\"", "/workloads/0/exercizes",
               "(did you mean exercises?)"},
        Damage{Format::configuration, "\"percent\": 1.5", "\"procent\": 1.5", "/thresholds/0/procent",
               "(did you mean percent?)"},
        Damage{Format::configuration, "\"name\": \"tools\"", "\"name\": \"a/b\"", "/name", "cannot name a file"},
        Damage{Format::configuration, "\"name\": \"tools\"", "\"name\": \"..\"", "/name", "cannot name a file"},
        Damage{Format::configuration, "\"name\": \"tools\"", "\"name\": \"net_bench\"", "/suites",
               "two suites have the name net_bench"},
        Damage{Format::configuration, "build/net_bench", "other/parse_bench", "/suites",
               "two suites have the name parse_bench"},
        Damage{Format::configuration, "\"name\": \"list\"", "\"name\": \"copy\"", "/workloads",
               "the workload copy is there twice"},
        Damage{Format::configuration, "[\"./copy\", \"{iterations}\"]", "[]", "/workloads/0/command",
               "the program is missing"},
        Damage{Format::configuration, "[\"./copy\", \"{iterations}\"]", "\"\"", "/workloads/0/command",
               "must not be empty"},
        Damage{Format::configuration, "\"iterations\": 100", "\"iterations\": 0", "/workloads/0/iterations",
               "at least 1"},
        Damage{Format::configuration, "\"iterations\": 100", "\"iterations\": 1000000001", "/workloads/0/iterations",
               "at most 1000000000"},
        Damage{Format::configuration, "\"timeout\": 2.5", "\"timeout\": 0", "/workloads/0/timeout",
               "a number of seconds above 0"},
        Damage{Format::configuration, "\"timeout\": 2.5", "\"timeout\": -1", "/workloads/0/timeout",
               "a number of seconds above 0"},
        Damage{Format::configuration, "\"absolute\": 5", "\"maximum\": 5", "/thresholds/0/maximum",
               "percent and maximum do not go together"},
        Damage{Format::configuration, "\"maximum\": 10", "\"measure\": \"x\"", "/thresholds/3/measure",
               "is there twice"},
        Damage{Format::configuration, ",\n      \"maximum\": 10", "", "/thresholds/3",
               "it does not say what is allowed: one of range, percent"},
        Damage{Format::configuration, "2026-12-31", "2026-12-32", "/waivers/0/until", "not a day in the form"},
        Damage{Format::configuration, "2026-12-31", "2026-02-29", "/waivers/0/until", "not a day in the form"},
        Damage{Format::configuration, "2026-12-31", "31.12.2026", "/waivers/0/until", "not a day in the form"},
        Damage{Format::configuration, "\"who\": \"Ada\"", "\"who\": \"\"", "/waivers/0/who", "must not be empty"},
        Damage{Format::configuration, "\"gate\": \"exact\"", "\"gate\": \"strict\"", "/workloads/0/gate",
               "\"strict\" is none of: exact, percent, min, none"}));

TEST(Refusal, CountsLinesAndCharacters) {
  EXPECT_THAT(refusal(Format::result, "{\n  \"\xC3\xA9\": NaN}"),
              StartsWith("some/file.json: line 2, column 8 (/\xC3\xA9): "));
  EXPECT_THAT(refusal(Format::result, "{\"a/b~\": [1, x]}"), HasSubstr("line 1, column 14 (/a~1b~0): "));
  EXPECT_THAT(refusal(Format::result, "{\"a\": 1 \"b\": 2}"), HasSubstr("line 1, column 9 "));
}

TEST(Refusal, ACutFileIsCalledCut) {
  EXPECT_THAT(refusal(Format::result, "{\"schema\": \"alloc"), HasSubstr("so it was cut"));
  EXPECT_THAT(refusal(Format::result, "{\"schema\": tru"), HasSubstr("so it was cut"));
  EXPECT_THAT(refusal(Format::result, "{\"schema\":"), HasSubstr("(/schema): the file ends"));
}

}  // namespace
}  // namespace allocgate

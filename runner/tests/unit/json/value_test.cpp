// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/value.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace allocgate {
namespace {

TEST(JsonText, IsOneNumberALineInTheOrderOfAdding) {
  JsonValue value = JsonValue::object();
  value.add("z", 1).add("a", std::numeric_limits<std::uint64_t>::max()).add("texts", JsonValue::array_of({"a", "b"}));
  value.add("numbers", JsonValue::array().push(1).push(-2));
  value.add("nothing", JsonValue::object()).add("none", JsonValue::array()).add("half", 0.5).add("yes", true);
  EXPECT_EQ(to_json_text(value),
            "{\n"
            "  \"z\": 1,\n"
            "  \"a\": 18446744073709551615,\n"
            "  \"texts\": [\"a\", \"b\"],\n"
            "  \"numbers\": [\n"
            "    1,\n"
            "    -2\n"
            "  ],\n"
            "  \"nothing\": {},\n"
            "  \"none\": [],\n"
            "  \"half\": 0.5,\n"
            "  \"yes\": true\n"
            "}\n");
}

TEST(JsonText, EscapesAndReplacesWhatIsNotUtf8) {
  EXPECT_EQ(to_json_text(JsonValue("a\"\n\x01")), "\"a\\\"\\n\\u0001\"\n");
  EXPECT_EQ(to_json_text(JsonValue("a\xff")), "\"a\xEF\xBF\xBD\"\n");
}

}  // namespace
}  // namespace allocgate

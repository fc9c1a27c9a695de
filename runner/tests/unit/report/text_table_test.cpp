// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/text_table.hpp"

#include "report/text_width.hpp"

#include <gtest/gtest.h>

#include <sstream>

namespace allocgate {
namespace {

using Align = TextTable::Align;

TextTable example() {
  TextTable table({{"workload", Align::left, true}, {"allocations", Align::right}});
  table.add_row({{"asio/ping_pong_1000_reqs_1_conn_with_a_long_name"}, {"20 021"}});
  table.add_row({{"é"}, {"0", Paint::good}});
  return table;
}

TEST(TextTable, AlignsByColumns) {
  EXPECT_EQ(example().text(80, Style()),
            "workload                                          allocations\n"
            "asio/ping_pong_1000_reqs_1_conn_with_a_long_name       20 021\n"
            "é                                                           0\n");
}

TEST(TextTable, ShortensNamesAndNeverNumbers) {
  EXPECT_EQ(example().text(30, Style()),
            "workload           allocations\n"
            "asio/pin…ong_name       20 021\n"
            "é                            0\n");
  const std::string narrowest = example().text(1, Style());
  EXPECT_NE(narrowest.find("20 021"), std::string::npos);
}

TEST(TextTable, ColourDoesNotMoveColumns) {
  EXPECT_NE(example().text(80, Style(true)).find("          \x1b[32m0\x1b[0m\n"), std::string::npos);
}

TEST(TextTable, HasNoSpacesAtLineEnds) {
  TextTable table({{"a"}, {"b"}});
  table.add_row({{"x"}, {""}});
  table.add_row({{"y"}});
  EXPECT_EQ(table.text(80, Style()), "a  b\nx\ny\n");
}

TEST(TextTable, WritesMarkdownWhole) {
  EXPECT_EQ(example().markdown(),
            "| workload | allocations |\n"
            "| --- | ---: |\n"
            "| asio/ping\\_pong\\_1000\\_reqs\\_1\\_conn\\_with\\_a\\_long\\_name | 20 021 |\n"
            "| é | 0 |\n");
}

}  // namespace
}  // namespace allocgate

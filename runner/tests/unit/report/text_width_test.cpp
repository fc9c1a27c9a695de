// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/text_width.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(DisplayWidth, CountsColumnsAndNotBytes) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("noop"), 4U);
  EXPECT_EQ(display_width("é"), 1U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("漢字"), 4U);
  EXPECT_EQ(display_width("…"), 1U);
}

TEST(DisplayWidth, GivesDamagedTextAWidth) {
  EXPECT_EQ(display_width("a\xC3"), 2U);
  EXPECT_EQ(display_width("\xFF\xFE"), 2U);
  EXPECT_EQ(display_width("\xE2\x82z"), 3U);
}

TEST(ShortenedInTheMiddle, KeepsBothEnds) {
  EXPECT_EQ(shortened_in_the_middle("asio/ping_pong_1000_reqs_1_conn", 12), "asio/p…_conn");
  EXPECT_EQ(shortened_in_the_middle("noop", 4), "noop");
}

TEST(ShortenedInTheMiddle, NeverSplitsACharacterOrExceedsTheWidth) {
  for (std::size_t width = 0; width < 12; ++width) {
    const std::string shortened = shortened_in_the_middle("漢字漢é字漢字", width);
    EXPECT_LE(display_width(shortened), width) << shortened;
    EXPECT_EQ(shortened.find('?'), std::string::npos);
  }
}

TEST(OnOneLine, LetsNothingThroughThatMovesTheCursor) {
  EXPECT_EQ(on_one_line("a\x1b[2Jb\r\nc\x7f"), "a?[2Jb??c?");
  EXPECT_EQ(on_one_line("é…"), "é…");
  EXPECT_EQ(on_one_line("\xC2\x9B\xFF"), "??") << "the one-byte form of the escape is one too";
}

TEST(Wrapped, BreaksAtSpacesAndKeepsParagraphs) {
  EXPECT_EQ(wrapped("one two three", 2, 9, 0), "one two\n  three\n");
  EXPECT_EQ(wrapped("a\n\nb", 2, 20, 2), "  a\n\n  b\n");
  EXPECT_EQ(wrapped("a_word_that_is_too_long b", 0, 5, 0), "a_word_that_is_too_long\nb\n");
}

}  // namespace
}  // namespace allocgate

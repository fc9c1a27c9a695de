// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/printable.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(Printable, KeepsText) {
  for (const char* text : {"", "plain text\twith tab\n", "Zürich", "漢字", "\xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, ReplacesControlCharacters) {
  EXPECT_EQ(printable("a\x1b[0m\x07\r\x7f"), "a?[0m???");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a?b");
  EXPECT_EQ(printable("\xC2\x9B"), "?") << "the control characters above ASCII";
}

TEST(Printable, ReplacesWhatIsNoUtf8) {
  EXPECT_EQ(printable("\xFFx\x80"), "?x?");
  EXPECT_EQ(printable("\xC3"), "?") << "cut short";
  EXPECT_EQ(printable("\xC0\xAF"), "??") << "overlong";
  EXPECT_EQ(printable("\xE0\x80\xAF"), "???") << "overlong";
  EXPECT_EQ(printable("\xED\xA0\x80"), "???") << "surrogate";
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "????") << "above U+10FFFF";
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/output_tail.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

using Stream = OutputTail::Stream;

TEST(OutputTail, IsEmptyAtFirst) {
  EXPECT_EQ(OutputTail().text(), "");
}

TEST(OutputTail, KeepsTheLastLines) {
  OutputTail tail;
  for (int line = 1; line <= 30; ++line) {
    tail.add(Stream::output, std::to_string(line) + "\n");
  }
  const std::string text = tail.text();
  EXPECT_TRUE(text.starts_with("11\n12\n")) << text;
  EXPECT_TRUE(text.ends_with("\n30")) << text;
}

TEST(OutputTail, PutsPiecesTogetherByStream) {
  OutputTail tail;
  tail.add(Stream::output, "one ");
  tail.add(Stream::error, "failed\r\n");
  tail.add(Stream::output, "line\nunfinished");
  EXPECT_EQ(tail.text(), "failed\none line\nunfinished");
}

TEST(OutputTail, KeepsEmptyLines) {
  OutputTail tail;
  tail.add(Stream::output, "a\n\nb\n");
  EXPECT_EQ(tail.text(), "a\n\nb");
}

TEST(OutputTail, BoundsALineWithoutEnd) {
  OutputTail tail;
  for (int piece = 0; piece < 100; ++piece) {
    tail.add(Stream::output, std::string(1000, 'x'));
  }
  EXPECT_EQ(tail.text(), std::string(OutputTail::k_line_bytes, 'x'));
}

TEST(OutputTail, IsPrintable) {
  OutputTail tail;
  tail.add(Stream::error, "\x1b[31mred\xff\n");
  EXPECT_EQ(tail.text(), "?[31mred?");
}

}  // namespace
}  // namespace allocgate

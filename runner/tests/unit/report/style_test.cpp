// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/style.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(Style, PaintsOnlyWhenColoured) {
  EXPECT_EQ(Style().painted("leak", Paint::bad), "leak");
  EXPECT_EQ(Style(true).painted("leak", Paint::bad), "\x1b[1;31mleak\x1b[0m");
  EXPECT_EQ(Style(true).painted("plain", Paint::plain), "plain");
  EXPECT_EQ(Style(true).painted("", Paint::good), "");
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/testbed.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(Testbed, DifferencesAreSortedAndKnowAbsence) {
  const Testbed before{"a", {{"libc", "2.36"}, {"kernel", "6.1"}, {"os", "debian12"}}};
  const Testbed after{"b", {{"libc", "2.37"}, {"os", "debian12"}, {"cpu", "x"}}};
  const auto found = differences(before, after);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(difference_text(found[0]), "cpu (none in the baseline, x here)");
  EXPECT_EQ(difference_text(found[1]), "kernel (6.1 in the baseline, none here)");
  EXPECT_EQ(difference_text(found[2]), "libc (2.36 in the baseline, 2.37 here)");
}

TEST(Testbed, SomeFieldsMatterToEveryWorkload) {
  for (const char* field : {"os", "arch", "libc", "stdlib"}) {
    EXPECT_TRUE(matters({field, "1", "2"}, {})) << field;
    EXPECT_TRUE(matters({field, "1", ""}, {"compiler"})) << field;
  }
  for (const char* field : {"compiler", "kernel", "cpu", "allocator"}) {
    EXPECT_FALSE(matters({field, "1", "2"}, {})) << field;
  }
  EXPECT_TRUE(matters({"compiler", "1", "2"}, {"compiler"}));
}

TEST(Testbed, CoresMatterUnlessTheWorkloadNamesOthers) {
  const TestbedDifference asio{"core.asio", "1.22", "1.28"};
  EXPECT_TRUE(matters(asio, {}));
  EXPECT_TRUE(matters(asio, {"core.asio"}));
  EXPECT_FALSE(matters(asio, {"core.beast"}));
  EXPECT_FALSE(matters({"core.asio", "", "1.28"}, {})) << "installed since: nobody used it before";
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/ci_snippet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using testing::HasSubstr;

TEST(CiSnippet, RunsTheBuildAndThenTheGateForEachService) {
  const CiSnippet github = ci_snippet("github", "cmake -S . -B build\ncmake --build build");
  EXPECT_EQ(github.file, ".github/workflows/allocgate.yml");
  EXPECT_THAT(github.text, HasSubstr("        run: |\n"
                                     "          cmake -S . -B build\n"
                                     "          cmake --build build\n"));
  EXPECT_THAT(github.text, HasSubstr("run: allocgate check"));
  const CiSnippet gitlab = ci_snippet("gitlab", std::nullopt);
  EXPECT_EQ(gitlab.file, ".gitlab/allocgate.yml");
  EXPECT_THAT(gitlab.text, HasSubstr("    - exit ${code:-0}\n"));
  EXPECT_THAT(gitlab.text, HasSubstr("      true  # build what"));
  EXPECT_THAT(gitlab.hint, HasSubstr(".gitlab-ci.yml"));
}

}  // namespace
}  // namespace allocgate

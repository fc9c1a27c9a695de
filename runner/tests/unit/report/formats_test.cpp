// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/formats.hpp"

#include "base/file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

namespace allocgate {
namespace {

using ::testing::HasSubstr;

TEST(ReportFormats, AreAllInTheReadme) {
  const std::string readme = read_file(ALLOCGATE_README);
  for (const ReportFormatInfo& info : all_report_formats()) {
    const std::string commands = info.of_check && info.of_report ? "`check`, `report`"
                                 : info.of_check                 ? "`check`"
                                                                 : "`report`";
    EXPECT_THAT(readme, HasSubstr(fmt::format("| `{}` | {} | {} |", info.name, commands, info.description)));
  }
}

TEST(ReportFormats, AreInWordsWhereTheyAreTaken) {
  const std::vector<std::string> names = report_format_names();
  const std::string words = formats_in_words(names);
  for (const ReportFormatInfo& info : all_report_formats()) {
    EXPECT_EQ(words.find(fmt::format(" {} (", info.name)) != std::string::npos, info.of_report) << info.name;
    EXPECT_EQ(report_format_named(info.name), info.format);
  }
}

}  // namespace
}  // namespace allocgate

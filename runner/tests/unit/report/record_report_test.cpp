// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/record_report.hpp"

#include <gtest/gtest.h>

#include <array>

namespace allocgate {
namespace {

constexpr std::size_t k_width = 80;

FrameId frame(Recording& recording, std::string_view function, std::string_view file = "", std::uint32_t line = 0) {
  Frame made;
  made.function = recording.text(function);
  made.file = recording.text(file);
  made.line = line;
  return recording.frame(made);
}

Recording example() {
  Recording recording;
  recording.add_measure({"allocations", "count", ""});
  recording.add_measure({"allocated_bytes", "bytes", ""});
  const FrameId main = frame(recording, "main", "/src/main.cpp", 9);
  const FrameId parse = frame(recording, "app::parse(int)", "/src/parse.cpp", 12);
  const FrameId library = frame(recording, "void std::vector<int>::reserve(unsigned long)", "/usr/vector.tcc", 70);
  const FrameId operator_new = frame(recording, "operator new(unsigned long)");
  const auto in_parse = std::to_array({operator_new, library, parse, main});
  const auto in_main = std::to_array({main});
  const auto in_library = std::to_array({operator_new, library});
  EXPECT_TRUE(recording.add(recording.stack(in_parse), std::array<Count, 2>{30, 3000}, 5));
  EXPECT_TRUE(recording.add(recording.stack(in_parse), std::array<Count, 2>{10, 10000}, 9));
  EXPECT_TRUE(recording.add(recording.stack(in_main), std::array<Count, 2>{4, 8}));
  EXPECT_TRUE(recording.add(recording.stack(in_library), std::array<Count, 2>{2, 4}));
  EXPECT_TRUE(recording.add_unlisted(std::array<Count, 2>{1, 1}));
  return recording;
}

TEST(RecordReport, ShowsTheSitesThatAllocatedMost) {
  EXPECT_EQ(record_report(example(), 10, Style(), k_width),
            "47 allocations, 13 013 bytes in 4 stacks\n"
            "\n"
            "allocations           bytes  by                      at\n"
            "         40  85.1 %  13 000  app::parse              parse.cpp:12\n"
            "          4   8.5 %       8  main                    main.cpp:9\n"
            "          2   4.3 %       4  std::vector<>::reserve  vector.tcc:70\n"
            "          1   2.1 %       1  [not listed]\n");
}

TEST(RecordReport, SaysHowManyItLeftOut) {
  EXPECT_EQ(record_report(example(), 1, Style(), k_width),
            "47 allocations, 13 013 bytes in 4 stacks\n"
            "\n"
            "allocations           bytes  by          at\n"
            "         40  85.1 %  13 000  app::parse  parse.cpp:12\n"
            "and 3 more\n");
  EXPECT_EQ(record_report(example(), 0, Style(), k_width), "47 allocations, 13 013 bytes in 4 stacks\n");
}

TEST(RecordReport, IsPerIterationWhereTheseAreKnown) {
  Recording recording = example();
  recording.iterations = 10;
  EXPECT_EQ(record_report(recording, 0, Style(), k_width),
            "4.7 allocations, 1 301.3 bytes in 4 stacks, per iteration (10 iterations)\n");
}

}  // namespace
}  // namespace allocgate

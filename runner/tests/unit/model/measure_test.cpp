// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/measure.hpp"

#include "model/names.hpp"
#include "model/result.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace allocgate {
namespace {

TEST(Measures, AreFoundByTheirNameOnce) {
  std::set<std::string_view> names;
  for (const MeasureInfo& measure : all_measures()) {
    EXPECT_TRUE(names.insert(measure.name).second) << measure.name;
    EXPECT_EQ(find_measure(measure.name), &measure);
    EXPECT_FALSE(measure.advisory && measure.gated_by_default) << measure.name;
  }
  EXPECT_EQ(find_measure("allocation"), nullptr);
}

TEST(Measures, FourAreGatedByDefault) {
  std::set<std::string_view> gated;
  for (const MeasureInfo& measure : all_measures()) {
    if (measure.gated_by_default) {
      gated.insert(measure.name);
    }
  }
  EXPECT_EQ(gated, (std::set<std::string_view>{"allocations", "allocated_bytes", "live_allocations", "open_fds"}));
}

TEST(Measures, ShowOursFirstInTheirOrder) {
  EXPECT_EQ(in_display_order({"zeta", "open_fds", "alpha", "allocations", "alpha"}),
            (std::vector<std::string>{"allocations", "open_fds", "alpha", "zeta"}));
}

TEST(SizeClasses, LabelsSayWhichSizesTheSlotsOfTheRecordHold) {
  EXPECT_EQ(size_class_label(63), "0");
  EXPECT_EQ(size_class_label(0), "1");
  EXPECT_EQ(size_class_label(1), "2");
  EXPECT_EQ(size_class_label(2), "3-4");
  EXPECT_EQ(size_class_label(3), "5-8");
  EXPECT_EQ(size_class_label(11), "1025-2048");
  EXPECT_EQ(size_class_label(62), "2305843009213693953-4611686018427387904");
}

TEST(SizeClasses, EverySizeIsWithinTheLabelOfItsSlot) {
  const auto slot_of = [](std::uint64_t size) { return static_cast<std::size_t>(std::bit_width(2 * size - 1) - 1); };
  for (const std::uint64_t size : {1ull, 2ull, 3ull, 4ull, 5ull, 8ull, 9ull, 1024ull, 1025ull, 2048ull, 1ull << 40}) {
    const std::string label = size_class_label(slot_of(size));
    const std::size_t dash = label.find('-');
    EXPECT_LE(std::stoull(label), size) << label;
    EXPECT_GE(std::stoull(dash == std::string::npos ? label : label.substr(dash + 1)), size) << label;
  }
  EXPECT_EQ(slot_of(0), k_size_classes - 1);
}

TEST(SizeClasses, AscendFromZero) {
  EXPECT_EQ(size_class_label(size_class_at(0)), "0");
  EXPECT_EQ(size_class_label(size_class_at(1)), "1");
  EXPECT_EQ(size_class_at(k_size_classes - 1), k_size_classes - 2);
}

TEST(Names, GoThereAndBack) {
  EXPECT_EQ(name_of(Gate::percent), "percent");
  EXPECT_EQ(value_named<Gate>("percent"), Gate::percent);
  EXPECT_EQ(value_named<Gate>("precent"), std::nullopt);
  EXPECT_EQ(names_of<Gate>(), "exact, percent, min, none");
}

TEST(SortedWorkloads, AreBySuiteAndName) {
  Result result;
  for (const char* name : {"b", "a"}) {
    for (const char* suite : {"two", "one"}) {
      WorkloadResult workload;
      workload.name = name;
      workload.suite = suite;
      result.workloads.push_back(workload);
    }
  }
  std::string order;
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    order += workload->suite + "/" + workload->name + " ";
  }
  EXPECT_EQ(order, "one/a one/b two/a two/b ");
}

}  // namespace
}  // namespace allocgate

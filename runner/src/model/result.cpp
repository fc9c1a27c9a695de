// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <tuple>

namespace allocgate {

namespace {

constexpr std::size_t k_slot_of_zero = k_size_classes - 1;

}  // namespace

int size_class_of(std::uint64_t size) {
  return size == 0 ? static_cast<int>(k_slot_of_zero) : static_cast<int>(std::bit_width(size - 1));
}

std::string size_class_label(std::size_t index) {
  if (index == k_slot_of_zero) {
    return "0";
  }
  const std::uint64_t largest = std::uint64_t{1} << index;
  const std::uint64_t smallest = largest / 2 + 1;
  return smallest >= largest ? fmt::format("{}", largest) : fmt::format("{}-{}", smallest, largest);
}

std::size_t size_class_at(std::size_t position) {
  return position == 0 ? k_slot_of_zero : position - 1;
}

std::vector<const WorkloadResult*> sorted_workloads(const Result& result) {
  std::vector<const WorkloadResult*> sorted;
  for (const WorkloadResult& workload : result.workloads) {
    sorted.push_back(&workload);
  }
  std::sort(sorted.begin(), sorted.end(), [](const WorkloadResult* left, const WorkloadResult* right) {
    return std::tie(left->suite, left->name) < std::tie(right->suite, right->name);
  });
  return sorted;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/family.hpp"
#include "model/result.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Workloads whose names differ in one integer argument only, as google-benchmark writes them: name/64, name/size:64.
// Pure functions in exact arithmetic; any thread.
namespace allocgate {

/// One argument in a workload's name.
struct NameArgument {
  std::string name;  // "size"; "argument 1" for one without a name, by its place among all arguments
  Count value = 0;
  std::string family;  // the workload's name with "*" for the value
};

/// The arguments in `workload`, in their order. What google-benchmark itself adds (iterations:, repeats:, min_time:
/// ...) is none, except threads:, on which counts may depend like on any other.
std::vector<NameArgument> arguments_of(std::string_view workload);

/// One family: the workloads that have all but one argument in common. Valid while its result is.
struct Family {
  std::string suite;
  std::string name;
  std::string argument;
  struct Member {
    const WorkloadResult* workload = nullptr;
    Count argument = 0;
  };
  std::vector<Member> members;  // ascending by argument, each value once
};

/// The families of at least two workloads, by suite and name. Failed workloads are members too.
std::vector<Family> families_of(const Result& result);

/// How many values of the argument it takes to claim a line: any two are on one.
constexpr std::size_t k_least_family_points = 3;

/// `measure` over `family`, or nothing when fewer than two of its workloads have it. A line is claimed only if the
/// values are exact, at least three, and all on it; else `reason` says why not.
std::optional<FamilySeries> family_series(const Family& family, const std::string& measure);

/// Every measure of every family, by family and then in display order.
std::vector<FamilySeries> all_family_series(const Result& result);

/// "4 + 2 per size", "2 per unit of argument 1", "4, whatever size is"; the reason where no line is claimed.
std::string family_text(const FamilySeries& series);

}  // namespace allocgate

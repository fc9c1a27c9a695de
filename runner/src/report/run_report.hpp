// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// A result for people: one row a workload, then set-ups, notes and failures, then what it comes to.
std::string run_report(const Result& result, const Style& style, std::size_t width);

/// One workload with every measure, the sizes that it asked for, and its processes.
std::string workload_details(const WorkloadResult& workload, const Style& style, std::size_t width);

/// The rows of run_report as a markdown table, with the failures and notes as a list.
std::string run_markdown(const Result& result);

/// The status of a workload as a colour: red for what failed, yellow for what is not exact.
Paint paint_of(const WorkloadResult& workload);

}  // namespace allocgate

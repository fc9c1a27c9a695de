// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/make_baseline.hpp"
#include "exchange/foreign.hpp"
#include "model/baseline.hpp"
#include "model/testbed.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace allocgate {

/// What an import needs beside the values.
struct ImportOptions {
  std::uint64_t iterations = 1;        // over which the values are totals
  std::optional<Threshold> tolerance;  // to either side, for values that have no limit of their own
  std::string reason;
  std::string commit;
  std::string time;
};

/// The baseline of `suite` with the imported values in it, upon `existing` if there is one: other workloads, and other
/// measures of the same ones, stay, except where an entry has other iterations, which is replaced as a whole. A new
/// one is of `testbed`. Pure.
MadeBaseline import_baseline(const std::optional<Baseline>& existing, const std::string& suite,
                             const std::map<std::string, std::map<std::string, ForeignMeasure>>& workloads,
                             const Testbed& testbed, const ImportOptions& options);

}  // namespace allocgate

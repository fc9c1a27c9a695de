// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/prune_baseline.hpp"

#include <fmt/format.h>

#include <utility>

namespace allocgate {

MadeBaseline prune_baseline(const Baseline& baseline, const std::set<std::string>& existing,
                            const std::string& reason) {
  MadeBaseline made;
  made.baseline = baseline;
  std::erase_if(made.baseline.workloads, [&](const auto& entry) {
    if (existing.count(entry.first) != 0) {
      made.unchanged += entry.second.measures.size();
      return false;
    }
    BaselineChange change;
    change.workload = entry.first;
    change.sentence = fmt::format("removed, because there is no such workload any more: {}", reason);
    made.changes.push_back(std::move(change));
    return true;
  });
  return made;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// Who takes improvements over, and why: what the changed entries say.
struct RatchetMark {
  std::string reason;
  std::string commit;
  std::string time;  // RFC 3339
};

/// The baselines that change when every series that `judgement` calls an improvement is taken over, and nothing else:
/// other values, thresholds and the testbed stay as they are, also within the same workload. Pure.
std::vector<Baseline> ratchet(const std::vector<Baseline>& baselines, const Result& result, const Judgement& judgement,
                              const RatchetMark& mark);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/make_baseline.hpp"
#include "model/baseline.hpp"

#include <set>
#include <string>

namespace allocgate {

/// `baseline` without the entries of workloads that are not in `existing`, each with `reason` in its sentence. Pure.
MadeBaseline prune_baseline(const Baseline& baseline, const std::set<std::string>& existing, const std::string& reason);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/result.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

/// The baseline of `suite` that fits `result`'s testbed best, as an index into `candidates`: the one of the same id,
/// else the one with the fewest fields that differ and matter to its workloads, then with the fewest that differ at
/// all, then the first by id. Nothing when no candidate is of that suite. Whether it may be judged is judge()'s to say.
std::optional<std::size_t> choose_baseline(const Result& result, const std::string& suite,
                                           std::span<const Baseline> candidates);

/// The suites of a result, each once, sorted.
std::vector<std::string> suites_of(const Result& result);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/verdict.hpp"

namespace allocgate {

/// What a result says without anything to compare it with: every series that was measured is `unchanged`, with its
/// value and words; a workload that failed or is blind is that. Pure.
Judgement judgement_of_measuring(const Result& result);

}  // namespace allocgate

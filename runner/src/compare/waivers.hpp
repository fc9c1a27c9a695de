// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "compare/judge.hpp"

namespace allocgate {

/// Lets `options.waivers` speak on the verdicts. One that holds on `options.today` takes the red from the verdicts that
/// it names: their code becomes `fine`, the sentence says until when, by whom and why. One whose last day is over is a
/// verdict of its own, and red. One that finds nothing red is a note. Waivers of workloads that were not selected are
/// passed over. The judgement's exit code is left to the caller.
void apply_waivers(const JudgeOptions& options, Judgement& judgement);

}  // namespace allocgate

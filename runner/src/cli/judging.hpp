// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/streams.hpp"
#include "compare/judge.hpp"
#include "model/baseline.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// What to judge against: a folder of baselines, another result, or nothing but maxima.
struct BaselineSource {
  std::filesystem::path folder;
  std::filesystem::path against;        // a result file; empty: the folder
  std::optional<Result> base;           // a result at hand
  std::vector<std::string> suites;      // of these alone; empty: of all
  std::filesystem::path configuration;  // where rules of that source were read, for messages
};

struct Judged {
  Result result;
  std::vector<Baseline> baselines;  // that were used
  std::filesystem::path folder;     // from which they came, if from one
  Judgement judgement;
};

/// Judges a result that is there. `patterns` choose workloads as select_workloads does, from the result and from the
/// baseline, so that one that vanished can be named.
Judged judge_result(Result result, const std::vector<std::string>& patterns, const BaselineSource& source,
                    JudgeOptions options);

/// Measures and judges. Windows have the iterations that the baseline has. Workloads of which an exact series differs
/// are measured again in two fresh processes, and judged by all of them.
Judged measure_and_judge(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                         const BaselineSource& source, JudgeOptions options, const Streams& streams);

}  // namespace allocgate

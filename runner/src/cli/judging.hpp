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
#include <span>
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

/// The names that `choice` means, in the result and in the baselines, so that a workload that vanished can be named.
/// Throws Error (64) as select_workloads does.
std::vector<std::string> names_chosen(const WorkloadChoice& choice, const Result& result,
                                      std::span<const Baseline> baselines);

/// Judges a result that is there, those of its workloads that `choice` means.
Judged judge_result(Result result, const WorkloadChoice& choice, const BaselineSource& source, JudgeOptions options);

/// Measures and judges. Windows have the iterations that the baseline has. Workloads of which an exact series differs
/// are measured again in two fresh processes, and judged by all of them.
Judged measure_and_judge(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                         const BaselineSource& source, JudgeOptions options, const Streams& streams);

}  // namespace allocgate

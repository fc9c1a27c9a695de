// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"
#include "measure/sample.hpp"
#include "measure/suite_listing.hpp"

#include <filesystem>
#include <memory>

namespace allocgate {

/// `given` with what the workload says itself: its time, the folder it is started in.
MeasureOptions options_for(const WorkloadInfo& workload, const MeasureOptions& given);

/// The file that is started for it.
std::filesystem::path program_of(const WorkloadInfo& workload, const MeasureOptions& options);

/// The sampler of its kind. What it is given outlives it; `options` are those of options_for().
std::unique_ptr<Sampler> make_sampler(const WorkloadInfo& workload, const MeasureOptions& options, Launcher& launcher);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/output_options.hpp"
#include "cli/streams.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"
#include "report/formats.hpp"
#include "report/verdict_report.hpp"

namespace allocgate {

/// Writes a judgement in the format that `output` names, one of check_format_names() or report_format_names(). Red
/// verdicts get their command lines from `steps_for`. Throws Error (1 when something cannot be written, 64 for what a
/// format cannot hold).
void deliver_judgement(const Result& result, Judgement judgement, const StepsFor& steps_for,
                       const OutputOptions& output, const Streams& streams);

/// The same of a result without a judgement. `steps_for` is for workloads that were not measured. Gives 3 or 6 where
/// the format has no way to say that a workload or a value of it is left out, else 0.
ExitCode deliver_result(const Result& result, const StepsFor& steps_for, const OutputOptions& output,
                        const Streams& streams);

/// Whether a format has no way to say that a workload was not measured, so that an exit code must.
bool hides_failures(ReportFormat format);

}  // namespace allocgate

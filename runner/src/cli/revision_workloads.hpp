// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/streams.hpp"
#include "model/result.hpp"
#include "revisions/repository.hpp"

#include <filesystem>
#include <string>
#include <vector>

// What is built and measured in another work tree, so that each revision is asked the same questions.
namespace allocgate {

/// The configuration as it is here, with its folder in `worktree`; `suites` take the place of its workloads. Throws
/// Error (64), which names `option`, when there is nothing to measure or the configuration lies outside of the
/// repository.
LoadedConfiguration configuration_in(const std::filesystem::path& worktree, const Repository& repository,
                                     const LoadedConfiguration& here, const std::vector<std::string>& suites,
                                     const std::string& option);

/// The shell line that builds a revision: `given`, or else the configuration's. Throws Error (64), which names
/// `option`, when there is none.
std::string build_line(const std::string& given, const LoadedConfiguration& configuration, const std::string& option);

/// Measures those of `measuring.names` that `configuration` has, which may be none; all without names. `compiler` is
/// that of what is measured ("gcc 12.2"; empty: this command's own).
Result measure_what_is_there(const MeasuringOptions& measuring, const LoadedConfiguration& configuration,
                             const std::string& compiler, const Streams& streams, Launcher& launcher);

}  // namespace allocgate

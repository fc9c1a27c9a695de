// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"

#include <string>
#include <vector>

// Values that become baselines and were measured before.
namespace allocgate {

/// The results in `files`, one a testbed: those of one testbed are merged. Throws Error (65) for a file that is none.
std::vector<Result> results_of_files(const std::vector<std::string>& files);

/// What `matrix --format json` measured of `revision` (empty: of the only one), a result a testbed: its toolchains.
/// Throws Error: 65 as above; 64 for another revision, or two cells of one testbed; 3 when no cell has a result.
std::vector<Result> results_of_matrix(const std::string& file, const std::string& revision);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/bisection.hpp"
#include "model/comparison.hpp"
#include "model/configuration.hpp"
#include "model/matrix.hpp"
#include "model/result.hpp"
#include "model/verdict.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// Text of the formats and back. Reading throws Error (65) that names the file, the place (line and column, or JSON
/// pointer) and the reason; writing gives the same bytes for the same value, sorted, one number a line.
std::string result_to_json(const Result& result);
Result result_from_json(std::string_view text, const std::filesystem::path& named);

std::string baseline_to_json(const Baseline& baseline);
Baseline baseline_from_json(std::string_view text, const std::filesystem::path& named);

std::string configuration_to_json(const Configuration& configuration);
Configuration configuration_from_json(std::string_view text, const std::filesystem::path& named);

std::string judgement_to_json(const Judgement& judgement);
/// What reports show of a judgement: its verdicts without their rules, which their sentences name.
Judgement judgement_from_json(std::string_view text, const std::filesystem::path& named);

std::string comparison_to_json(const Comparison& comparison);

std::string bisection_to_json(const Bisection& bisection);

/// `sentences` are the conclusions in words, for each table.
std::string matrix_to_json(const Matrix& matrix, const std::vector<std::vector<std::string>>& sentences);
/// Its axes and cells, with the result of each that was measured; its tables are made from these.
Matrix matrix_from_json(std::string_view text, const std::filesystem::path& named);

}  // namespace allocgate

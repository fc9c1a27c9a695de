// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "json/cursor.hpp"
#include "json/value.hpp"
#include "model/result.hpp"
#include "model/testbed.hpp"
#include "model/threshold.hpp"
#include "model/waiver.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Pieces that several of our documents have in common, each with its writer and its reader side by side.
namespace allocgate {

constexpr std::string_view k_result_schema = "allocgate.result/1";
constexpr std::string_view k_baseline_schema = "allocgate.baseline/1";
constexpr std::string_view k_judgement_schema = "allocgate.judgement/1";
constexpr std::string_view k_comparison_schema = "allocgate.comparison/1";
constexpr std::string_view k_bisection_schema = "allocgate.bisection/1";
constexpr std::string_view k_matrix_schema = "allocgate.matrix/1";
constexpr std::string_view k_configuration_schema = "allocgate.configuration/1";

JsonValue to_json(const Testbed& testbed);
Testbed testbed_from(const JsonCursor& cursor);

/// A whole result, as a document of its own or inside of another.
JsonValue to_json(const Result& result);
Result result_from(const JsonCursor& cursor);

JsonValue to_json(const Slope& slope);
Slope slope_from(const JsonCursor& cursor);

JsonValue to_json(const std::vector<Sample>& samples);
/// Ascending by value, each value once. `measure` decides whether a value may be negative.
std::vector<Sample> samples_from(const JsonCursor& cursor, std::string_view measure);

JsonValue to_json(const WorkloadLayer& layer);
JsonValue to_json(const std::vector<WorkloadLayer>& layers);
std::vector<WorkloadLayer> layers_from(const JsonCursor& cursor);

/// A value of `measure`: negative only where it can be.
Count value_from(const JsonCursor& cursor, std::string_view measure);

/// The names that add_threshold() writes and threshold_in() reads.
std::vector<std::string_view> threshold_names();
/// Adds percent and absolute, or what else the threshold is, to the object that carries them.
void add_threshold(JsonValue& object, const Threshold& threshold);
/// The threshold among the members of `object`, if any; refuses two kinds that do not go together.
std::optional<Threshold> threshold_in(const JsonCursor& object);

/// The names and the threshold, without where it was written.
JsonValue to_json(const ThresholdRule& rule);

JsonValue to_json(const Waiver& waiver);
Waiver waiver_from(const JsonCursor& cursor);

/// What a text lost that is `written` without its last byte: JSON does not miss the end of the last line, but a file
/// of ours always has it, so one without was cut. Throws Error (65).
void refuse_lost_last_byte(const LocatedDocument& document, std::string_view text, std::string_view written);

}  // namespace allocgate

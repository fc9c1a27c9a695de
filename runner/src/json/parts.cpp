// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace allocgate {

namespace {

constexpr double k_thousandths = 1000;
constexpr double k_most_percent = 1e9;

std::int64_t thousandths_from(const JsonCursor& cursor) {
  const double percent = cursor.number();
  if (percent < 0 || percent > k_most_percent) {
    cursor.refuse("a percentage is between 0 and 1000000000");
  }
  const double scaled = std::round(percent * k_thousandths);
  constexpr double k_rounding = 1e-6;
  if (std::abs(scaled - percent * k_thousandths) > k_rounding) {
    cursor.refuse("a percentage has at most three decimals");
  }
  return static_cast<std::int64_t>(scaled);
}

}  // namespace

JsonValue to_json(const Testbed& testbed) {
  JsonValue object = JsonValue::object();
  object.add("id", testbed.id);
  for (const auto& [field, value] : testbed.fields) {
    object.add(field, value);
  }
  return object;
}

Testbed testbed_from(const JsonCursor& cursor) {
  Testbed testbed;
  testbed.id = cursor.at("id").name();
  for (const auto& [field, value] : cursor.members()) {
    if (field != "id") {
      testbed.fields.emplace(field, value.text());
    }
  }
  return testbed;
}

JsonValue to_json(const Slope& slope) {
  return JsonValue::object().add("count", slope.count).add("iterations", slope.iterations);
}

Slope slope_from(const JsonCursor& cursor) {
  return {cursor.at("count").integer(), cursor.at("iterations").positive()};
}

JsonValue to_json(const std::vector<Sample>& samples) {
  JsonValue array = JsonValue::array();
  for (const Sample& sample : samples) {
    array.push(JsonValue::object().add("value", sample.value).add("times", sample.times));
  }
  return array;
}

std::vector<Sample> samples_from(const JsonCursor& cursor, std::string_view measure) {
  std::vector<Sample> samples;
  for (const JsonCursor& element : cursor.elements()) {
    const Sample sample{value_from(element.at("value"), measure), element.at("times").positive()};
    if (!samples.empty() && sample.value <= samples.back().value) {
      element.refuse("samples are in ascending order, each value once");
    }
    samples.push_back(sample);
  }
  return samples;
}

Count value_from(const JsonCursor& cursor, std::string_view measure) {
  const MeasureInfo* known = find_measure(measure);
  const Count value = cursor.integer();
  if (value < 0 && known != nullptr && !known->may_be_negative) {
    cursor.refuse(fmt::format("{} is negative, which {} cannot be", value, measure));
  }
  return value;
}

void add_threshold(JsonValue& object, const Threshold& threshold) {
  if (threshold.range) {
    object.add("range",
               JsonValue::object().add("lowest", threshold.range->lowest).add("highest", threshold.range->highest));
  }
  if (threshold.thousandths) {
    object.add("percent", static_cast<double>(*threshold.thousandths) / k_thousandths);
  }
  if (threshold.absolute) {
    object.add("absolute", *threshold.absolute);
  }
}

std::optional<Threshold> threshold_in(const JsonCursor& object) {
  Threshold threshold;
  const auto range = object.find("range");
  const auto percent = object.find("percent");
  const auto absolute = object.find("absolute");
  if (range && (percent || absolute)) {
    range->refuse("a range stands alone: remove it, or percent and absolute beside it");
  }
  if (range) {
    range->allow_only({"lowest", "highest"});
    threshold.range = Threshold::Range{range->at("lowest").integer(), range->at("highest").integer()};
    if (threshold.range->lowest > threshold.range->highest) {
      range->refuse("its lowest value is above its highest");
    }
  }
  if (percent) {
    threshold.thousandths = thousandths_from(*percent);
  }
  if (absolute) {
    threshold.absolute = static_cast<Count>(absolute->natural());
  }
  return range || percent || absolute ? std::optional(threshold) : std::nullopt;
}

void refuse_lost_last_byte(const LocatedDocument& document, std::string_view text, std::string_view written) {
  if (text.size() + 1 == written.size() && written.starts_with(text)) {
    document.refuse(text.size(), "", "the last byte is missing (the end of the last line), so the file was cut");
  }
}

}  // namespace allocgate

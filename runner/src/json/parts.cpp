// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>

namespace allocgate {

namespace {

constexpr double k_thousandths = 1000;
constexpr double k_most_percent = 1e9;

constexpr std::string_view k_range = "range";
constexpr std::string_view k_percent = "percent";
constexpr std::string_view k_absolute = "absolute";
constexpr std::string_view k_per_iteration = "per_iteration_thousandths";
constexpr std::string_view k_maximum = "maximum";
constexpr std::string_view k_maximum_per_iteration = "maximum_per_iteration_thousandths";

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

Threshold::Range range_from(const JsonCursor& cursor) {
  cursor.allow_only({"lowest", "highest"});
  const Threshold::Range range{cursor.at("lowest").integer(), cursor.at("highest").integer()};
  if (range.lowest > range.highest) {
    cursor.refuse("its lowest value is above its highest");
  }
  return range;
}

std::string date_from(const JsonCursor& cursor) {
  constexpr std::size_t k_year = 4;
  constexpr std::size_t k_length = 10;
  const std::string date = cursor.text();
  const auto number = [&date](std::size_t begin, std::size_t length) {
    unsigned value = 0;
    const char* end = date.data() + begin + length;
    return std::from_chars(date.data() + begin, end, value).ptr == end ? std::optional(value) : std::nullopt;
  };
  const bool shaped = date.size() == k_length && date[k_year] == '-' && date[k_year + 3] == '-';
  if (shaped) {
    const auto year = number(0, k_year);
    const auto month = number(k_year + 1, 2);
    const auto day = number(k_year + 4, 2);
    if (year && month && day &&
        std::chrono::year_month_day(std::chrono::year(static_cast<int>(*year)), std::chrono::month(*month),
                                    std::chrono::day(*day))
            .ok()) {
      return date;
    }
  }
  cursor.refuse(fmt::format("\"{}\" is not a day in the form YYYY-MM-DD", date));
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

JsonValue to_json(const WorkloadLayer& layer) {
  return JsonValue::object().add("layer", layer.layer).add("workload", layer.workload).add("times", layer.times);
}

JsonValue to_json(const std::vector<WorkloadLayer>& layers) {
  JsonValue array = JsonValue::array();
  for (const WorkloadLayer& layer : layers) {
    array.push(to_json(layer));
  }
  return array;
}

std::vector<WorkloadLayer> layers_from(const JsonCursor& cursor) {
  std::vector<WorkloadLayer> layers;
  for (const JsonCursor& element : cursor.elements()) {
    const auto times = element.find("times");
    layers.push_back({element.at("layer").name(), element.at("workload").name(), times ? times->positive() : 1});
  }
  return layers;
}

Count value_from(const JsonCursor& cursor, std::string_view measure) {
  const MeasureInfo* known = find_measure(measure);
  const Count value = cursor.integer();
  if (value < 0 && known != nullptr && !known->may_be_negative) {
    cursor.refuse(fmt::format("{} is negative, which {} cannot be", value, measure));
  }
  return value;
}

std::vector<std::string_view> threshold_names() {
  return {k_range, k_percent, k_absolute, k_per_iteration, k_maximum, k_maximum_per_iteration};
}

void add_threshold(JsonValue& object, const Threshold& threshold) {
  const auto add = [&object](std::string_view name, const auto& value) {
    if (value) {
      object.add(std::string(name), *value);
    }
  };
  if (threshold.range) {
    object.add(std::string(k_range),
               JsonValue::object().add("lowest", threshold.range->lowest).add("highest", threshold.range->highest));
  }
  if (threshold.thousandths) {
    object.add(std::string(k_percent), static_cast<double>(*threshold.thousandths) / k_thousandths);
  }
  add(k_absolute, threshold.absolute);
  add(k_per_iteration, threshold.per_iteration_thousandths);
  add(k_maximum, threshold.maximum);
  add(k_maximum_per_iteration, threshold.maximum_per_iteration_thousandths);
}

std::optional<Threshold> threshold_in(const JsonCursor& object) {
  Threshold threshold;
  std::vector<std::string_view> kinds;
  for (const std::string_view name : threshold_names()) {
    const auto member = object.find(name);
    if (!member) {
      continue;
    }
    // A percentage and an absolute amount go together: the greater counts.
    if (!kinds.empty() && !(kinds.back() == k_percent && name == k_absolute)) {
      member->refuse(fmt::format("{} and {} do not go together: remove one of them", kinds.back(), name));
    }
    kinds.push_back(name);
    if (name == k_range) {
      threshold.range = range_from(*member);
    } else if (name == k_percent) {
      threshold.thousandths = thousandths_from(*member);
    } else if (name == k_absolute) {
      threshold.absolute = static_cast<Count>(member->natural());
    } else if (name == k_per_iteration) {
      threshold.per_iteration_thousandths = static_cast<std::int64_t>(member->natural());
    } else if (name == k_maximum) {
      threshold.maximum = member->integer();
    } else {
      threshold.maximum_per_iteration_thousandths = static_cast<std::int64_t>(member->natural());
    }
  }
  return kinds.empty() ? std::nullopt : std::optional(threshold);
}

Waiver waiver_from(const JsonCursor& cursor) {
  cursor.allow_only({"workload", "measure", "until", "who", "why"});
  Waiver waiver;
  waiver.workload = cursor.at("workload").name();
  if (const auto measure = cursor.find("measure")) {
    waiver.measure = measure->name();
  }
  waiver.until = date_from(cursor.at("until"));
  waiver.who = cursor.at("who").name();
  waiver.why = cursor.at("why").name();
  return waiver;
}

JsonValue to_json(const ThresholdRule& rule) {
  JsonValue object = JsonValue::object();
  if (!rule.workload.empty()) {
    object.add("workload", rule.workload);
  }
  if (!rule.measure.empty()) {
    object.add("measure", rule.measure);
  }
  add_threshold(object, rule.threshold);
  return object;
}

JsonValue to_json(const Waiver& waiver) {
  JsonValue object = JsonValue::object().add("workload", waiver.workload);
  if (!waiver.measure.empty()) {
    object.add("measure", waiver.measure);
  }
  object.add("until", waiver.until).add("who", waiver.who).add("why", waiver.why);
  return object;
}

void refuse_lost_last_byte(const LocatedDocument& document, std::string_view text, std::string_view written) {
  if (text.size() + 1 == written.size() && written.starts_with(text)) {
    document.refuse(text.size(), "", "the last byte is missing (the end of the last line), so the file was cut");
  }
}

}  // namespace allocgate

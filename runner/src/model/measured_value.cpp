// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/measured_value.hpp"

#include "model/series.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

namespace allocgate {

MeasuredValue measured_value(const WorkloadResult& workload, const Series& series) {
  MeasuredValue measured;
  measured.by_minimum = workload.gate == Gate::min;
  measured.value = measured.by_minimum ? series.min : series.median;
  measured.iterations = workload.iterations;
  measured.slope = series.slope;
  measured.setup = series.setup;
  measured.better = series.better;
  measured.series_class = series.series_class;
  measured.samples = series.samples;
  return measured;
}

std::optional<MeasuredValue> value_at(const MeasuredValue& value, std::uint64_t iterations) {
  if (value.iterations == iterations) {
    return value;
  }
  if (!value.slope || !value.setup) {
    return std::nullopt;
  }
  const Wide product = static_cast<Wide>(value.slope->count) * static_cast<Wide>(iterations);
  if (product % static_cast<Wide>(value.slope->iterations) != 0) {
    return std::nullopt;
  }
  const std::optional<Count> there =
      to_count(product / static_cast<Wide>(value.slope->iterations) + static_cast<Wide>(*value.setup));
  if (!there) {
    return std::nullopt;
  }
  MeasuredValue moved = value;
  moved.value = *there;
  moved.iterations = iterations;
  std::uint64_t processes = 0;
  for (const Sample& sample : value.samples) {
    processes += sample.times;
  }
  moved.samples = {{*there, processes}};
  return moved;
}

MeasuredValue merged(const MeasuredValue& first, const MeasuredValue& second) {
  MeasuredValue both = first;
  both.samples = merged_samples(first.samples, second.samples);
  if (both.samples.empty()) {
    return both;
  }
  both.value = both.by_minimum ? both.samples.front().value : lower_median(both.samples);
  both.series_class = class_of(both.samples);
  if (both.series_class != SeriesClass::exact || first.slope != second.slope) {
    both.slope.reset();
    both.setup.reset();
  }
  return both;
}

}  // namespace allocgate

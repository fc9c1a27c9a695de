// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "exchange/package_benchmark.hpp"

#include "base/error.hpp"
#include "json/cursor.hpp"
#include "json/value.hpp"
#include "model/names.hpp"
#include "model/slope.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <variant>

namespace allocgate {

namespace {

constexpr std::string_view k_ending = ".p90.json";
constexpr std::string_view k_target_unknown = "allocgate";

struct Metric {
  std::string_view name;
  std::string_view measure;
  bool written;  // of two names for one measure, the one that is written
};

constexpr auto k_metrics = std::to_array<Metric>({
    {"mallocCountTotal", "allocations", true},
    {"mallocBytesCount", "allocated_bytes", true},
    {"freeCountTotal", "deallocations", true},
    {"mallocFreeDelta", "live_allocations", true},
    {"memoryLeaked", "live_allocations", false},
});

const Metric* find_metric(std::string_view name) {
  const auto found =
      std::find_if(k_metrics.begin(), k_metrics.end(), [name](const Metric& metric) { return metric.name == name; });
  return found == k_metrics.end() ? nullptr : &*found;
}

/// "TARGET" and "BENCHMARK"; a target's name has no dot, a benchmark's may.
std::optional<std::pair<std::string, std::string>> target_and_benchmark(const std::filesystem::path& file) {
  const std::string name = file.filename().string();
  const std::size_t dot = name.find('.');
  if (!name.ends_with(k_ending) || dot == 0 || dot + 1 >= name.size() - k_ending.size()) {
    return std::nullopt;
  }
  return std::pair(name.substr(0, dot), name.substr(dot + 1, name.size() - k_ending.size() - dot - 1));
}

std::string file_part(std::string_view text) {
  std::string part(text);
  std::replace_if(
      part.begin(), part.end(), [](char character) { return character == ' ' || character == '/'; }, '_');
  return part;
}

/// The value that nine of ten samples do not exceed.
Count p90_of(const std::vector<Sample>& samples) {
  std::uint64_t all = 0;
  for (const Sample& sample : samples) {
    all += sample.times;
  }
  const std::uint64_t wanted = all - all / 10;
  std::uint64_t seen = 0;
  for (const Sample& sample : samples) {
    seen += sample.times;
    if (seen >= wanted) {
      return sample.value;
    }
  }
  return samples.back().value;
}

/// The integer of one iteration, or why there is none.
std::variant<Count, std::string> value_of(const WorkloadResult& workload, const Series& series) {
  if (series.slope) {
    const Slope slope = make_slope(series.slope->count, series.slope->iterations);
    if (slope.iterations == 1) {
      return slope.count;
    }
    return fmt::format("{} is no whole number", exact_text(slope) + " per iteration");
  }
  if (workload.iterations == 1 && !series.samples.empty()) {
    return p90_of(series.samples);
  }
  return std::string("it is not linear, so what one iteration takes is not known");
}

void add_file(const WorkloadResult& workload, std::map<std::string, JsonValue>& files, PackageBenchmarkFiles& made) {
  std::map<std::string, Count> values;
  for (const Metric& metric : k_metrics) {
    const auto series = workload.measures.find(std::string(metric.measure));
    if (!metric.written || series == workload.measures.end()) {
      continue;
    }
    const auto value = value_of(workload, series->second);
    if (const Count* whole = std::get_if<Count>(&value)) {
      values.emplace(metric.name, *whole);
    } else {
      made.left_out.push_back(
          fmt::format("{} {} is left out: {}", workload.name, metric.measure, std::get<std::string>(value)));
    }
  }
  if (values.empty()) {
    made.left_out.push_back(fmt::format("{} has no file, because nothing of it can be said in one", workload.name));
    return;
  }
  JsonValue object = JsonValue::object();
  for (const auto& [name, value] : values) {
    object.add(name, value);
  }
  const std::string target = workload.suite.empty() ? std::string(k_target_unknown) : workload.suite;
  std::string target_part = file_part(target);
  std::replace(target_part.begin(), target_part.end(), '.', '_');
  const std::string name = fmt::format("{}.{}{}", target_part, file_part(workload.name), k_ending);
  if (!files.emplace(name, std::move(object)).second) {
    throw Error(
        ExitCode::usage,
        fmt::format("two workloads would both be the file {}; rename one, or write them from two results", name));
  }
}

}  // namespace

bool is_package_benchmark_name(const std::filesystem::path& file) {
  return target_and_benchmark(file).has_value();
}

bool is_package_benchmark_metric(std::string_view metric) {
  return find_metric(metric) != nullptr;
}

ForeignFile read_package_benchmark(std::string_view text, const std::filesystem::path& file) {
  const LocatedDocument document(text, file, "nothing was written");
  const auto names = target_and_benchmark(file);
  const JsonCursor object(document);
  if (!names) {
    object.refuse("a threshold file is named TARGET.BENCHMARK.p90.json, because its text does not say of what it is");
  }
  ForeignFile read;
  for (const auto& [name, member] : object.members()) {
    const Count value = member.integer();
    const Metric* metric = find_metric(name);
    if (metric == nullptr) {
      read.notes.push_back(fmt::format("{}: {} has no measure of ours and was left out", file.string(), name));
      continue;
    }
    if (value < 0) {
      member.refuse(fmt::format("{} is {}, and package-benchmark never writes a negative count", name, value));
    }
    read.values.push_back(
        {names->first, names->second, std::string(metric->measure), value, std::nullopt, file, member.line()});
  }
  return read;
}

PackageBenchmarkFiles package_benchmark_files(const Result& result) {
  PackageBenchmarkFiles made;
  std::map<std::string, JsonValue> files;
  for (const WorkloadResult* workload : sorted_workloads(result)) {
    if (workload->status != WorkloadStatus::ok) {
      made.left_out.push_back(
          fmt::format("{} is left out, because it was not measured: {}", workload->name, name_of(workload->status)));
      continue;
    }
    add_file(*workload, files, made);
  }
  for (const auto& [name, object] : files) {
    made.files.push_back({name, to_json_text(object)});
  }
  return made;
}

}  // namespace allocgate

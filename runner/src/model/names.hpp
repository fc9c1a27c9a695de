// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/threshold.hpp"
#include "model/verdict.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>

// The one table of each enum's names: files, reports and options all read these, so that they cannot disagree.
namespace allocgate {

template <typename Enum>
struct NamedValue {
  Enum value;
  std::string_view name;
};

template <typename Enum>
inline constexpr auto k_names = 0;  // only enums with a table below have names

template <>
inline constexpr auto k_names<Better> = std::to_array<NamedValue<Better>>({
    {Better::lower, "lower"},
    {Better::higher, "higher"},
    {Better::neither, "neither"},
});

template <>
inline constexpr auto k_names<SeriesClass> = std::to_array<NamedValue<SeriesClass>>({
    {SeriesClass::exact, "exact"},
    {SeriesClass::stable, "stable"},
    {SeriesClass::noisy, "noisy"},
});

template <>
inline constexpr auto k_names<Gate> = std::to_array<NamedValue<Gate>>({
    {Gate::exact, "exact"},
    {Gate::percent, "percent"},
    {Gate::min, "min"},
    {Gate::none, "none"},
});

template <>
inline constexpr auto k_names<WorkloadStatus> = std::to_array<NamedValue<WorkloadStatus>>({
    {WorkloadStatus::ok, "ok"},
    {WorkloadStatus::failed, "failed"},
    {WorkloadStatus::blind, "blind"},
    {WorkloadStatus::timeout, "timeout"},
});

template <>
inline constexpr auto k_names<ProcessEnd> = std::to_array<NamedValue<ProcessEnd>>({
    {ProcessEnd::exited, "exited"},
    {ProcessEnd::signalled, "signalled"},
    {ProcessEnd::replaced, "replaced"},
    {ProcessEnd::running, "running"},
});

template <>
inline constexpr auto k_names<ThresholdSource> = std::to_array<NamedValue<ThresholdSource>>({
    {ThresholdSource::command_line, "command line"},
    {ThresholdSource::baseline, "baseline"},
    {ThresholdSource::configuration, "configuration"},
    {ThresholdSource::built_in, "default"},
});

template <>
inline constexpr auto k_names<VerdictKind> = std::to_array<NamedValue<VerdictKind>>({
    {VerdictKind::unchanged, "unchanged"},
    {VerdictKind::improvement, "improvement"},
    {VerdictKind::regression, "regression"},
    {VerdictKind::leak, "leak"},
    {VerdictKind::new_workload, "new"},
    {VerdictKind::missing, "missing"},
    {VerdictKind::blind, "blind"},
    {VerdictKind::failed, "failed"},
    {VerdictKind::unstable, "unstable"},
    {VerdictKind::not_comparable, "not comparable"},
    {VerdictKind::not_gated, "not gated"},
    {VerdictKind::no_baseline, "no baseline"},
    {VerdictKind::no_match, "nothing measured"},
    {VerdictKind::expired_waiver, "expired waiver"},
});

/// The name of `value`, as it is written in files.
template <typename Enum>
constexpr std::string_view name_of(Enum value) {
  for (const auto& entry : k_names<Enum>) {
    if (entry.value == value) {
      return entry.name;
    }
  }
  return {};
}

/// The value of that name, if there is one.
template <typename Enum>
constexpr std::optional<Enum> value_named(std::string_view name) {
  for (const auto& entry : k_names<Enum>) {
    if (entry.name == name) {
      return entry.value;
    }
  }
  return std::nullopt;
}

/// "exact, percent, min, none", for messages.
template <typename Enum>
std::string names_of() {
  std::string all;
  for (const auto& entry : k_names<Enum>) {
    all += (all.empty() ? "" : ", ");
    all += entry.name;
  }
  return all;
}

}  // namespace allocgate

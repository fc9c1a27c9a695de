// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/configuration.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace allocgate {

constexpr std::string_view k_configuration_file = "allocgate.json";

/// A project's configuration and where it lies. A plain value.
struct LoadedConfiguration {
  std::filesystem::path file;   // absolute; empty: there is none, and `configuration` says nothing
  Configuration configuration;  // its paths are as written

  /// Where its commands run and its paths begin; empty without a file.
  [[nodiscard]] std::filesystem::path folder() const { return file.parent_path(); }
  /// Whether it says what is to be measured; else the installed suite is.
  [[nodiscard]] bool has_workloads() const { return !configuration.suites.empty() || !configuration.workloads.empty(); }
};

/// The nearest allocgate.json in `start` or above it.
std::optional<std::filesystem::path> nearest_configuration(const std::filesystem::path& start);

/// The file that `option` names, or else the nearest allocgate.json in the working directory or above it. Throws Error
/// (65) with the place for a file that cannot be read; that there is none is no error.
LoadedConfiguration load_configuration(const std::string& option);

/// The folder from which baselines are read: `option`; what the configuration says, or `baselines` beside its file;
/// without a file the nearest `baselines` above the working directory. Where there is none, the one installed with the
/// command, as long as the installed suite is what is measured.
std::filesystem::path baselines_folder(const std::string& option, const LoadedConfiguration& configuration);

/// The folder to which they are written: the same, but never the installation's; without a file a new one lies in the
/// working directory, where its owner will look for it.
std::filesystem::path baselines_folder_to_write(const std::string& option, const LoadedConfiguration& configuration);

}  // namespace allocgate

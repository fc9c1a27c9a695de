// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/configuration.hpp"

#include "base/file.hpp"
#include "baselines/baseline_store.hpp"
#include "cli/installation.hpp"
#include "json/documents.hpp"

#include <system_error>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

/// What the option or the configuration says.
std::optional<fs::path> named_folder(const std::string& option, const LoadedConfiguration& configuration) {
  if (!option.empty()) {
    return option;
  }
  if (configuration.file.empty()) {
    return std::nullopt;
  }
  return configuration.folder() / configuration.configuration.baselines.value_or("baselines");
}

}  // namespace

std::optional<fs::path> nearest_configuration(const fs::path& start) {
  std::error_code error;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    fs::path file = folder / k_configuration_file;
    if (fs::exists(fs::symlink_status(file, error))) {
      return file;
    }
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
  }
}

LoadedConfiguration load_configuration(const std::string& option) {
  std::error_code error;
  std::optional<fs::path> file;
  if (option.empty()) {
    file = nearest_configuration(fs::current_path(error));
  } else {
    file = fs::absolute(option, error);
  }
  if (!file) {
    return {};
  }
  return {file->lexically_normal(), configuration_from_json(read_file(*file), *file)};
}

fs::path baselines_folder(const std::string& option, const LoadedConfiguration& configuration) {
  const std::optional<fs::path> named = named_folder(option, configuration);
  std::error_code error;
  if (!named) {
    return nearest_baselines_folder(fs::current_path(error)).value_or(installed_baselines());
  }
  // The installed baselines are of the installed suite.
  const bool may_be_installed =
      option.empty() && !configuration.configuration.baselines && !configuration.has_workloads();
  return may_be_installed && !fs::exists(*named, error) ? installed_baselines() : *named;
}

fs::path baselines_folder_to_write(const std::string& option, const LoadedConfiguration& configuration) {
  if (const auto named = named_folder(option, configuration)) {
    return *named;
  }
  const fs::path here = fs::current_path();
  return nearest_baselines_folder(here).value_or(here / "baselines");
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/option_helpers.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>

namespace allocgate {

namespace {

constexpr double k_most_seconds = 1e6;

/// CLI11's own ranges let NaN through: it is neither below nor above anything.
std::string refusal_of_seconds(const std::string& text) {
  double seconds = 0;
  const bool read = CLI::detail::lexical_cast(text, seconds);
  const bool fits = read && std::isfinite(seconds) && seconds > 0 && seconds <= k_most_seconds;
  return fits ? std::string()
              : fmt::format("'{}' is not a number of seconds above 0 and up to {}", text, k_most_seconds);
}

}  // namespace

void add_repeatable(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& type,
                    const std::string& description) {
  app.add_option(name, values, description + "; may be given several times")->type_name(type)->allow_extra_args(false);
}

void add_seconds(CLI::App& app, const std::string& name, double& seconds, const std::string& description) {
  app.add_option(name, seconds, description)->type_name("SECONDS")->check(CLI::Validator(refusal_of_seconds, ""));
}

void add_cores(CLI::App& app, std::vector<std::string>& cores) {
  add_repeatable(app, "--core", cores, "NAME", "The workloads over this core alone, as 'allocgate list' names it");
}

void add_configuration_file(CLI::App& app, std::string& file) {
  app.add_option("--config", file, "The project's configuration (default: the nearest allocgate.json above)")
      ->type_name("FILE");
}

void add_baseline_folder(CLI::App& app, std::string& folder, const std::string& otherwise) {
  app.add_option(
         "--baseline", folder,
         fmt::format(
             "The folder of baselines (default: what allocgate.json says, else the nearest 'baselines' above, else {})",
             otherwise))
      ->type_name("DIR");
}

void append_option(std::vector<std::string>& words, const char* name, const std::string& value) {
  if (!value.empty()) {
    words.insert(words.end(), {name, value});
  }
}

}  // namespace allocgate

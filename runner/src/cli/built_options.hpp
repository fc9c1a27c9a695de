// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/build_options.hpp"
#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/revision_measurer.hpp"
#include "revisions/repository.hpp"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

/// A toolchain, or a level of another axis: what it is called, and the variables that a build gets with it.
struct NamedVariables {
  std::string name;
  BuildVariables variables;

  /// "CC=gcc-11 CXX=g++-11".
  [[nodiscard]] std::string in_words() const;
};

/// Reads `NAME=VARIABLE=VALUE ...`: `gcc11=CC=gcc-11 CXX='ccache g++-11'`, with quotes and backslashes as a POSIX shell
/// has them and nothing expanded. Throws Error (64), which names `option`.
NamedVariables parse_named_variables(const std::string& option, const std::string& text);
/// The same of each; a name that comes twice is refused.
std::vector<NamedVariables> parse_named_variables(const std::string& option, const std::vector<std::string>& texts);

/// What `bisect` and `matrix` build, and what they measure of it.
struct BuiltOptions {
  std::vector<std::string> workloads;  // names; empty with a command
  std::vector<std::string> command;    // the words after "--"
  std::string measure = "allocations";
  std::vector<std::string> toolchains;  // as parse_named_variables reads them
  std::string setup_line;
  BuildOptions build;
  MeasuringOptions measuring;

  /// Declares all of it.
  void setup(CLI::App& app, const char* jobs_are);
  /// Declares it without the measure and the toolchains.
  void setup_build(CLI::App& app, const char* jobs_are);
  /// Whether anything was given that says what is built or measured.
  [[nodiscard]] bool any() const;
  /// Throws Error (64), unless there is either a workload or a command to measure, and for a measure nobody knows.
  void check() const;
  /// `command_name` is named where there is no build line. Throws Error (64).
  [[nodiscard]] BuildPlan plan(const LoadedConfiguration& configuration, const std::string& command_name) const;
  /// The configuration as it is measured: a command takes the place of its workloads.
  [[nodiscard]] LoadedConfiguration configuration_of(const LoadedConfiguration& here,
                                                     const Repository& repository) const;
  /// How it is measured, with the names of what is.
  [[nodiscard]] MeasuringOptions named_measuring() const;
};

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_compiler.hpp"

#include "process/printable.hpp"

#include <fmt/format.h>

#include <regex>

namespace allocgate {

std::string compiler_in(std::string_view version_line) {
  static const std::regex k_version("([0-9]+)\\.([0-9]+)");
  const std::string line(version_line);
  std::smatch match;
  if (!std::regex_search(line, match, k_version)) {
    return {};
  }
  std::string name = line.substr(0, line.find(' '));
  for (const char* known : {"clang", "gcc", "g++"}) {
    if (line.find(known) != std::string::npos) {
      name = known == std::string_view("g++") ? "gcc" : known;
      break;
    }
  }
  return fmt::format("{} {}.{}", name, match[1].str(), match[2].str());
}

CompilerFacts detect_compiler(const Environment& environment, Launcher& launcher) {
  CompilerFacts facts;
  for (const char* variable : {"CXX", "CC"}) {
    if (environment.get(variable).value_or("").empty()) {
      continue;
    }
    LaunchSpec spec;
    // A shell, because it may be several words: "ccache g++-12".
    spec.argv = {"/bin/sh", "-c", fmt::format("${} --version 2>&1", variable)};
    spec.environment = environment.entries();
    spec.keep_standard_output = true;
    spec.timeout = std::chrono::seconds(20);
    const LaunchOutcome outcome = launcher.launch(spec);
    if (outcome.kind == LaunchOutcome::Kind::exited && outcome.exit_code == 0) {
      facts.version_line = printable(outcome.standard_output.substr(0, outcome.standard_output.find('\n')));
      facts.name = compiler_in(facts.version_line);
    }
    break;
  }
  return facts;
}

}  // namespace allocgate

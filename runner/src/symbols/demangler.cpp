// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/demangler.hpp"

#include "base/demangle.hpp"
#include "base/error.hpp"
#include "process/environment.hpp"
#include "process/find_program.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <memory>

#include <libiberty/demangle.h>

namespace allocgate {

namespace {

// A command line has an end; names of Swift are long.
constexpr std::size_t k_names_at_once = 200;
constexpr std::chrono::seconds k_most_time{60};

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

std::string of_rust(std::string_view symbol) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      ::rust_demangle(std::string(symbol).c_str(), DMGL_PARAMS | DMGL_ANSI), &std::free);
  return name ? std::string(name.get()) : std::string();
}

/// The command that demangles Swift, without its names; empty where there is none.
std::vector<std::string> swift_command() {
  const std::string path = own_variable("PATH").value_or(std::string(k_default_search_path));
  if (find_program("swift-demangle", path).kind == FoundProgram::Kind::found) {
    return {"swift-demangle", "-compact", "--"};
  }
  if (find_program("swift", path).kind == FoundProgram::Kind::found) {
    return {"swift", "demangle", "-compact", "--"};
  }
  return {};
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void name_swift(std::span<const std::string_view> symbols, std::vector<std::string>& names, Launcher& launcher) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    if (is_swift(symbols[i])) {
      places.push_back(i);
    }
  }
  const std::vector<std::string> command = places.empty() ? std::vector<std::string>() : swift_command();
  if (command.empty()) {
    return;
  }
  for (std::size_t first = 0; first < places.size(); first += k_names_at_once) {
    const std::size_t last = std::min(first + k_names_at_once, places.size());
    LaunchSpec spec;
    spec.argv = command;
    for (std::size_t i = first; i < last; ++i) {
      spec.argv.emplace_back(symbols[places[i]]);
    }
    spec.environment = Environment::inherited().entries();
    spec.keep_standard_output = true;
    spec.timeout = k_most_time;
    const LaunchOutcome outcome = launcher.launch(spec);
    const std::vector<std::string> lines = lines_of(outcome.standard_output);
    if (outcome.kind != LaunchOutcome::Kind::exited || outcome.exit_code != 0 || lines.size() != last - first) {
      return;
    }
    for (std::size_t i = first; i < last; ++i) {
      names[places[i]] = lines[i - first];
    }
  }
}

}  // namespace

bool is_swift(std::string_view symbol) {
  constexpr auto k_beginnings = std::to_array<std::string_view>({"$s", "$S", "_$s", "_$S", "_T0"});
  return std::any_of(k_beginnings.begin(), k_beginnings.end(),
                     [symbol](std::string_view beginning) { return begins_with(symbol, beginning); });
}

std::string demangled_name(std::string_view symbol) {
  if (begins_with(symbol, "_R") || begins_with(symbol, "_ZN")) {
    // Rust's legacy names are C++ names to a C++ demangler, but with escapes and a hash in them.
    if (std::string name = of_rust(symbol); !name.empty()) {
      return name;
    }
  }
  return demangled(symbol).value_or(std::string());
}

std::vector<std::string> names_for_people(std::span<const std::string_view> symbols, Launcher& launcher) {
  std::vector<std::string> names;
  names.reserve(symbols.size());
  for (const std::string_view symbol : symbols) {
    std::string name = demangled_name(symbol);
    names.push_back(name.empty() ? std::string(symbol) : std::move(name));
  }
  name_swift(symbols, names, launcher);
  return names;
}

}  // namespace allocgate

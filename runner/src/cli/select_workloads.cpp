// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/select_workloads.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <regex>

namespace allocgate {

namespace {

bool is_regex(const std::string& pattern) {
  return pattern.size() > 1 && pattern.front() == '/' && pattern.back() == '/';
}

}  // namespace

bool pattern_means(const std::string& pattern, const std::string& name) {
  // A name may hold characters of a glob: as itself it always means itself.
  if (pattern == name) {
    return true;
  }
  if (!is_regex(pattern)) {
    return is_glob(pattern) && glob_matches(pattern, name);
  }
  try {
    return std::regex_search(name, std::regex(pattern.substr(1, pattern.size() - 2)));
  } catch (const std::regex_error& error) {
    throw Error(ExitCode::usage,
                fmt::format("'{}' is not a regular expression (ECMAScript): {}", pattern, error.what()));
  }
}

std::vector<std::size_t> select_workloads(std::span<const std::string> names, std::span<const std::string> patterns) {
  std::vector<bool> meant(names.size(), patterns.empty());
  for (const std::string& pattern : patterns) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (pattern_means(pattern, names[i])) {
        meant[i] = true;
        any = true;
      }
    }
    if (!any) {
      throw Error(ExitCode::usage, fmt::format("no workload matches '{}'{}; 'allocgate list' shows all names", pattern,
                                               did_you_mean(pattern, names)));
    }
  }
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (meant[i]) {
      selected.push_back(i);
    }
  }
  return selected;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/select_workloads.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <regex>
#include <set>

namespace allocgate {

namespace {

bool is_regex(const std::string& pattern) {
  return pattern.size() > 1 && pattern.front() == '/' && pattern.back() == '/';
}

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

bool is_over(const Choosable& workload, const std::vector<std::string>& cores) {
  return cores.empty() || std::any_of(cores.begin(), cores.end(), [&workload](const std::string& core) {
           return std::find(workload.cores.begin(), workload.cores.end(), core) != workload.cores.end();
         });
}

void refuse_unknown_cores(std::span<const Choosable> workloads, const std::vector<std::string>& cores) {
  std::set<std::string> known;
  for (const Choosable& workload : workloads) {
    known.insert(workload.cores.begin(), workload.cores.end());
  }
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& core : cores) {
    if (known.count(core) == 0) {
      throw Error(ExitCode::usage,
                  fmt::format("no workload is over the core '{}'{}; {}", core, did_you_mean(core, names),
                              names.empty() ? "none of them names a core" : "there are " + joined(names, ", ")));
    }
  }
}

}  // namespace

bool WorkloadChoice::means(const Choosable& workload) const {
  const auto means_it = [&workload](const std::string& pattern) { return pattern_means(pattern, workload.name); };
  return is_over(workload, cores) && (names.empty() || std::any_of(names.begin(), names.end(), means_it));
}

std::vector<std::size_t> select_workloads(std::span<const Choosable> workloads, const WorkloadChoice& choice) {
  refuse_unknown_cores(workloads, choice.cores);
  std::vector<std::string> names;
  std::vector<std::size_t> indexes;
  for (std::size_t index = 0; index < workloads.size(); ++index) {
    if (is_over(workloads[index], choice.cores)) {
      names.push_back(workloads[index].name);
      indexes.push_back(index);
    }
  }
  const std::string among = choice.cores.empty() ? std::string() : " over " + joined(choice.cores, " or ");
  std::vector<std::size_t> selected;
  for (const std::size_t index : select_workloads(names, choice.names, among)) {
    selected.push_back(indexes[index]);
  }
  return selected;
}

std::vector<std::size_t> select_workloads(std::span<const std::string> names, std::span<const std::string> patterns,
                                          std::string_view among) {
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
      throw Error(ExitCode::usage, fmt::format("no workload{} matches '{}'{}; 'allocgate list' shows all names", among,
                                               pattern, did_you_mean(pattern, names)));
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

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/accepted_results.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/measuring.hpp"
#include "cli/merge_results.hpp"
#include "json/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>

namespace allocgate {

namespace {

/// One result a testbed, in the order in which they are first met.
std::vector<Result> by_testbed(const std::vector<Result>& results, const std::vector<std::string>& names) {
  std::vector<std::vector<Result>> groups;
  std::vector<std::vector<std::string>> group_names;
  for (std::size_t i = 0; i < results.size(); ++i) {
    std::size_t group = 0;
    while (group < groups.size() && groups[group].front().testbed.id != results[i].testbed.id) {
      ++group;
    }
    if (group == groups.size()) {
      groups.emplace_back();
      group_names.emplace_back();
    }
    groups[group].push_back(results[i]);
    group_names[group].push_back(names[i]);
  }
  std::vector<Result> merged;
  for (std::size_t group = 0; group < groups.size(); ++group) {
    merged.push_back(merge_results(groups[group], group_names[group]));
  }
  return merged;
}

}  // namespace

std::vector<Result> results_of_files(const std::vector<std::string>& files) {
  std::vector<Result> results;
  for (const std::string& file : files) {
    results.push_back(read_result(file));
  }
  return by_testbed(results, files);
}

std::vector<Result> results_of_matrix(const std::string& file, const std::string& revision) {
  const Matrix matrix = matrix_from_json(read_file(file), file);
  std::vector<std::string> known;
  for (const MatrixLevel& level : matrix.axes.front().levels) {
    known.push_back(level.name);
  }
  const std::string wanted = revision.empty() && known.size() == 1 ? known.front() : revision;
  if (std::find(known.begin(), known.end(), wanted) == known.end()) {
    throw Error(ExitCode::usage, wanted.empty() ? fmt::format("'{}' has several revisions: name one with --rev: {}",
                                                              file, joined(known, ", "))
                                                : fmt::format("'{}' has no revision '{}'{}; it has {}", file, wanted,
                                                              did_you_mean(wanted, known), joined(known, ", ")));
  }
  std::vector<Result> results;
  std::vector<std::string> names;
  for (const MatrixCell& cell : matrix.cells) {
    if (matrix.axes.front().levels[cell.place.front()].name == wanted && cell.result) {
      results.push_back(*cell.result);
      names.push_back(place_name(matrix.axes, cell.place));
    }
  }
  if (results.empty()) {
    throw Error(ExitCode::not_measured,
                fmt::format("'{}' has no result of {}: each of its cells failed", file, wanted));
  }
  std::set<std::string> testbeds;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!testbeds.insert(results[i].testbed.id).second) {
      throw Error(ExitCode::usage,
                  fmt::format("several cells of '{}' are of the testbed {}, the last of them {}: which "
                              "is its baseline? measure a matrix whose cells are testbeds",
                              file, results[i].testbed.id, names[i]));
    }
  }
  return results;
}

}  // namespace allocgate

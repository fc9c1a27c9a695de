// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/recording_options.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

namespace allocgate {

namespace {

constexpr std::size_t k_greatest_depth = 1'000'000'000;

}  // namespace

void RecordingOptions::setup(CLI::App& app) {
  std::vector<std::string> names;
  for (const GroupName& group : k_group_names) {
    names.emplace_back(group.name);
  }
  app.add_option("--by", by, "Add up what is the same in this, by the function that allocates")
      ->type_name(joined(names, "|"))
      ->check(CLI::IsMember(names).description(""));
  app.add_option("--depth", depth, "Look at the N innermost frames alone")
      ->type_name("N")
      ->check(CLI::Range(std::size_t{1}, k_greatest_depth).description(""));
  app.add_option("--filter", filter, "Show stacks alone with TEXT in the name of a frame")->type_name("TEXT");
  app.add_option("--measure", measure, "What is shown and sorted by (default: allocations)")->type_name("MEASURE");
  app.add_flag("--totals", totals, "Show values as recorded, not per iteration");
}

GroupBy RecordingOptions::group_by() const {
  const auto found = std::find_if(k_group_names.begin(), k_group_names.end(),
                                  [this](const GroupName& group) { return group.name == by; });
  return found == k_group_names.end() ? GroupBy::stack : found->by;
}

void say_what_is_missing(const Recording& recording, const std::string& file, std::size_t measure,
                         const Streams& streams) {
  for (const std::string& note : recording.notes) {
    streams.err << fmt::format("allocgate: {}: {}\n", file, note);
  }
  const Count unlisted = recording.unlisted()[measure];
  if (unlisted != 0) {
    streams.err << fmt::format(
        "allocgate: {}: {} of its {} {} are in stacks that it does not list; they count in totals\n", file,
        grouped(unlisted), grouped(recording.totals()[measure]), recording.measures()[measure].name);
  }
  streams.err << std::flush;
}

std::size_t chosen_measure(const Recording& recording, const std::string& name, const std::string& file) {
  const std::optional<std::size_t> found = name.empty() ? main_measure(recording) : recording.find_measure(name);
  if (found) {
    return *found;
  }
  std::vector<std::string> names;
  for (const RecordedMeasure& measure : recording.measures()) {
    names.push_back(measure.name);
  }
  throw Error(ExitCode::usage, fmt::format("{} has no measure '{}'{}; it has {}", file, name, did_you_mean(name, names),
                                           joined(names, ", ")));
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/changed_place.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

namespace {

/// "src/parse.cpp:12" as a place; nothing for a text without a line.
std::optional<SourcePlace> place_in(const std::string& text, const std::string& function) {
  const std::size_t colon = text.rfind(':');
  SourcePlace place;
  if (colon == std::string::npos || colon == 0) {
    return std::nullopt;
  }
  const std::string_view digits = std::string_view(text).substr(colon + 1);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place.line);
  if (error != std::errc() || end != digits.data() + digits.size()) {
    return std::nullopt;
  }
  place.file = text.substr(0, colon);
  place.function = function;
  return place;
}

/// How likely it is that somebody who works on the program wrote that file.
enum class Owner { project, unknown, system };

Owner owner_of(const SourcePlace& place) {
  if (place.file.starts_with("/usr/") && !place.file.starts_with("/usr/src/") &&
      !place.file.starts_with("/usr/local/src/")) {
    return Owner::system;
  }
  // As a distribution's own libraries name theirs: the folder in which they were built is nowhere.
  return place.file.starts_with("./") || place.file.starts_with("../") ? Owner::unknown : Owner::project;
}

/// All listed rows, the one that grew most first.
std::vector<std::size_t> by_growth(const StackDiff& diff) {
  std::vector<std::size_t> rows;
  for (const StackDiff::Rows* list : {&diff.only_in_after(), &diff.changed(), &diff.paired(), &diff.only_in_before()}) {
    rows.insert(rows.end(), list->begin(), list->end());
  }
  const auto delta_of = [&diff](std::size_t row) { return diff.exact_delta(diff.values(row, diff.measure())); };
  std::stable_sort(rows.begin(), rows.end(),
                   [&delta_of](std::size_t left, std::size_t right) { return delta_of(left) > delta_of(right); });
  std::erase_if(rows, [&delta_of](std::size_t row) { return delta_of(row) == 0; });
  // Where nothing grew, what shrank most is the change.
  if (!rows.empty() && delta_of(rows.front()) < 0) {
    std::reverse(rows.begin(), rows.end());
  }
  return rows;
}

}  // namespace

std::optional<SourcePlace> changed_place(const StackDiff& diff) {
  for (const std::size_t row : by_growth(diff)) {
    const std::vector<std::string> places = diff.places(row);
    const std::vector<NameId> frames = diff.frames(diff.rows()[row].stack);
    std::optional<SourcePlace> best;
    for (std::size_t i = 0; i < std::min(places.size(), frames.size()); ++i) {
      const std::optional<SourcePlace> place = place_in(places[i], diff.name(frames[i]));
      if (place && (!best || owner_of(*place) < owner_of(*best))) {
        best = place;
      }
    }
    if (best) {
      return best;
    }
  }
  return std::nullopt;
}

}  // namespace allocgate

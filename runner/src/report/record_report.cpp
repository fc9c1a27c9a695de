// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/record_report.hpp"

#include "base/text.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"
#include "stacks/function_name.hpp"
#include "stacks/grouping.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

namespace allocgate {

namespace {

using Align = TextTable::Align;

constexpr std::size_t k_allocations = 0;
constexpr std::size_t k_bytes = 1;

bool is_of_the_library(const Recording& recording, const Frame& frame) {
  constexpr auto k_beginnings = std::to_array<std::string_view>({"std::", "__gnu_cxx::"});
  // In front of a template's name stands its return type.
  const std::string name = without_parameters(recording.text(frame.function));
  return std::any_of(k_beginnings.begin(), k_beginnings.end(), [&name](std::string_view beginning) {
    return std::string_view(name).substr(0, beginning.size()) == beginning;
  });
}

FrameId site_of(const Recording& recording, StackId stack) {
  const FrameId allocating = allocating_frame(recording, stack);
  bool is_inside = true;  // of what asks for memory itself
  for (StackId node = stack; node != 0; node = recording.caller_of(node)) {
    const FrameId frame = recording.innermost(node);
    is_inside = is_inside && frame != allocating;
    if (!is_inside && !is_of_the_library(recording, recording.frame(frame))) {
      return frame;
    }
  }
  return allocating;
}

/// "basic_fields<>::insert" of "basic_fields<std::allocator<char> >::insert(int)": what fits a line.
std::string short_name(std::string_view name) {
  const std::string bare = without_parameters(name);
  if (bare.find("operator") != std::string::npos) {
    return bare;  // its brackets may be the name itself
  }
  std::string kept;
  std::size_t depth = 0;
  for (const char character : bare) {
    depth -= character == '>' && depth > 0 ? 1 : 0;
    if (depth == 0) {
      kept += character;
    }
    depth += character == '<' ? 1 : 0;
  }
  return kept;
}

struct Site {
  std::string name;
  std::string place;
  Count allocations = 0;
  Count bytes = 0;
};

std::vector<Site> sites_of(const Recording& recording) {
  std::map<std::pair<std::string, std::string>, Site> sites;
  std::map<StackId, FrameId> known;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    const StackId stack = recording.entry_stack(entry);
    const auto [found, is_new] = known.emplace(stack, 0);
    if (is_new && stack != 0) {
      found->second = site_of(recording, stack);
    }
    Site site;
    if (stack == 0) {
      site.name = k_not_listed;
    } else {
      const Frame& frame = recording.frame(found->second);
      site.name = on_one_line(short_name(shown_name(recording, frame)));
      site.place = on_one_line(file_name_of(place_of(recording, frame)));
    }
    Site& sum = sites.emplace(std::pair(site.name, site.place), site).first->second;
    sum.allocations += recording.entry_values(entry)[k_allocations];
    sum.bytes += recording.entry_values(entry)[k_bytes];
  }
  std::vector<Site> sorted;
  for (const auto& [key, site] : sites) {
    sorted.push_back(site);
  }
  std::stable_sort(sorted.begin(), sorted.end(), [](const Site& one, const Site& other) {
    return std::tuple(-one.allocations, -one.bytes) < std::tuple(-other.allocations, -other.bytes);
  });
  return sorted;
}

std::string value_text(const Recording& recording, Count value) {
  return recording.iterations ? decimal_text(make_slope(value, *recording.iterations)) : grouped(value);
}

std::size_t stacks_in(const Recording& recording) {
  std::set<StackId> stacks;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    stacks.insert(recording.entry_stack(entry));
  }
  return stacks.size();
}

}  // namespace

std::string record_report(const Recording& recording, std::size_t most, const Style& style, std::size_t width) {
  const Count total = recording.totals()[k_allocations];
  std::string text =
      fmt::format("{} allocations, {} bytes in {}{}\n", value_text(recording, total),
                  value_text(recording, recording.totals()[k_bytes]), counted(stacks_in(recording), "stack"),
                  recording.iterations ? fmt::format(", per iteration ({} {})", grouped_unsigned(*recording.iterations),
                                                     *recording.iterations == 1 ? "iteration" : "iterations")
                                       : std::string());
  const std::vector<Site> sites = sites_of(recording);
  if (most == 0 || sites.empty()) {
    return text;
  }
  TextTable table({{"allocations", Align::right},
                   {"", Align::right},
                   {"bytes", Align::right},
                   {"by", Align::left, true},
                   {"at", Align::left, true}});
  for (std::size_t i = 0; i < std::min(most, sites.size()); ++i) {
    const Site& site = sites[i];
    const std::string percent =
        total == 0
            ? ""
            : fmt::format("{:.1f} %", 100.0 * static_cast<double>(site.allocations) / static_cast<double>(total));
    table.add_row({{value_text(recording, site.allocations)},
                   {percent},
                   {value_text(recording, site.bytes)},
                   {site.name},
                   {site.place}});
  }
  text += "\n" + table.text(width, style);
  if (sites.size() > most) {
    text += fmt::format("and {} more\n", sites.size() - most);
  }
  return text;
}

}  // namespace allocgate

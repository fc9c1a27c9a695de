// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/name_table.hpp"

#include "base/demangle.hpp"
#include "stacks/function_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

namespace allocgate {

namespace {

/// A function's name in one recording, before names of both are held against each other.
struct RawName {
  std::string text;
  bool internal = false;  // only its own object sees it
};

/// One way to write a function, over both recordings.
struct Spelling {
  unsigned sides = 0;  // bit 0: in the first, bit 1: in the second
  bool internal = false;
};

using Spellings = std::map<std::string, Spelling>;

/// Debug data calls a function of internal linkage by its bare name where it was inlined, and so does everything where
/// the linker's name is not at hand. Full names go to the bare name that stands for the same function.
std::map<std::string, std::string> bare_names(const Spellings& spellings) {
  std::map<std::string, std::vector<std::string>> full_of_bare;
  for (const auto& [name, spelling] : spellings) {
    const std::string bare = without_parameters(name);
    std::vector<std::string> candidates = {bare};
    if (spelling.internal || name.find("(anonymous namespace)") != std::string::npos) {
      candidates.push_back(unqualified(name));
    }
    for (const std::string& candidate : candidates) {
      if (candidate != name && spellings.count(candidate) != 0) {
        full_of_bare[candidate].push_back(name);
        break;
      }
    }
  }
  std::map<std::string, std::string> result;
  for (const auto& [bare, full_names] : full_of_bare) {
    for (const std::string& full : full_names) {
      const Spelling& spelling = spellings.at(full);
      // Of a name that is not known to be internal only this is proof: each recording has one of the two spellings.
      const bool exclusive = full_names.size() == 1 && (spelling.sides & spellings.at(bare).sides) == 0;
      if (spelling.internal || exclusive) {
        result.emplace(full, bare);
      }
    }
  }
  return result;
}

/// The raw names of one recording; frames share them.
struct RawNames {
  std::vector<RawName> names;
  std::vector<std::uint32_t> of_frame;
};

RawNames raw_names_of(const Recording& recording) {
  RawNames raw;
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  raw.of_frame.reserve(recording.frame_count());
  for (FrameId id = 0; id < recording.frame_count(); ++id) {
    const Frame& frame = recording.frame(id);
    const std::uint64_t key = (std::uint64_t{frame.function} << 32U) | frame.linkage_name;
    const auto [entry, is_new] = known.emplace(key, static_cast<std::uint32_t>(raw.names.size()));
    if (is_new) {
      const std::string_view linkage = recording.text(frame.linkage_name);
      const std::string_view function = recording.text(frame.function);
      const std::string_view symbol = linkage.empty() ? function : linkage;
      raw.names.push_back({identity_name(function, linkage), has_internal_linkage(symbol)});
    }
    raw.of_frame.push_back(entry->second);
  }
  return raw;
}

/// The file name of a frame's module, which may stand in the text of code without a name.
std::string_view module_of(const Recording& recording, const Frame& frame) {
  return file_name_of(frame.module != 0 ? recording.text(frame.module)
                                        : module_in_name(recording.text(frame.function)));
}

bool is_marker(std::string_view name) {
  return name == k_not_listed || name == k_other_places || name == k_cut || name == k_no_unwind_table ||
         name == k_generated_code;
}

}  // namespace

TextId main_module_of(const Recording& recording) {
  if (recording.main_module != 0) {
    return recording.main_module;
  }
  for (const std::string_view entry : {"main", "_start"}) {
    for (FrameId id = 0; id < recording.frame_count(); ++id) {
      const Frame& frame = recording.frame(id);
      if (frame.module != 0 && recording.text(frame.function) == entry) {
        return frame.module;
      }
    }
  }
  const std::string_view program = std::string_view(recording.command).substr(0, recording.command.find(' '));
  if (!program.empty()) {
    for (FrameId id = 0; id < recording.frame_count(); ++id) {
      const TextId module = recording.frame(id).module;
      if (module != 0 && file_name_of(recording.text(module)) == file_name_of(program)) {
        return module;
      }
    }
  }
  return 0;
}

NameTable::NameTable(std::span<const Recording* const> recordings) {
  std::vector<RawNames> raw;
  Spellings spellings;
  bool modules_count = true;
  for (std::size_t side = 0; side < recordings.size(); ++side) {
    raw.push_back(raw_names_of(*recordings[side]));
    for (const RawName& name : raw.back().names) {
      Spelling& spelling = spellings[name.text];
      spelling.sides |= 1U << side;
      spelling.internal = spelling.internal || name.internal;
    }
    modules_count = modules_count && recordings[side]->has_modules;
  }
  const std::map<std::string, std::string> bare = bare_names(spellings);

  for (std::size_t side = 0; side < recordings.size(); ++side) {
    const Recording& recording = *recordings[side];
    const TextId main_module = main_module_of(recording);
    std::unordered_map<std::uint64_t, NameId> known;
    std::vector<NameId> names;
    names.reserve(recording.frame_count());
    for (FrameId id = 0; id < recording.frame_count(); ++id) {
      const Frame& frame = recording.frame(id);
      const std::uint32_t raw_name = raw[side].of_frame[id];
      const auto [entry, is_new] = known.emplace((std::uint64_t{raw_name} << 32U) | frame.module, 0);
      if (is_new) {
        const std::string& text = raw[side].names[raw_name].text;
        const auto shorter = bare.find(text);
        const std::string_view module =
            frame.module != 0 && frame.module == main_module ? std::string_view() : module_of(recording, frame);
        entry->second = intern(
            made_name(shorter == bare.end() ? text : shorter->second, modules_count ? module : std::string_view()));
      }
      names.push_back(entry->second);
    }
    m_names_of_frames.push_back(std::move(names));
  }
}

NameTable::Name NameTable::made_name(std::string_view text, std::string_view module) {
  if (!text.empty()) {
    return {std::string(text), std::string(module), is_marker(text)};
  }
  return {module.empty() ? "[unknown]" : fmt::format("[unknown in {}]", module), std::string(module), true};
}

NameId NameTable::intern(Name name) {
  const auto [entry, is_new] = m_ids.emplace(name.text + '\0' + name.module, static_cast<NameId>(m_names.size()));
  if (is_new) {
    m_names.push_back(std::move(name));
  }
  return entry->second;
}

NameId NameTable::key(std::string_view text) {
  return intern({std::string(text), {}, false});
}

std::vector<std::uint32_t> NameTable::ranks() const {
  std::vector<NameId> order(m_names.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [this](NameId left, NameId right) {
    return std::tie(m_names[left].text, m_names[left].module) < std::tie(m_names[right].text, m_names[right].module);
  });
  std::vector<std::uint32_t> ranks(order.size());
  for (std::uint32_t position = 0; position < order.size(); ++position) {
    ranks[order[position]] = position;
  }
  return ranks;
}

std::string place_of(const Recording& recording, const Frame& frame) {
  if (frame.file == 0) {
    return {};
  }
  const std::string_view file = recording.text(frame.file);
  return frame.line == 0 ? std::string(file) : fmt::format("{}:{}", file, frame.line);
}

std::string shown_name(const Recording& recording, const Frame& frame) {
  const std::string_view function = recording.text(frame.function == 0 ? frame.linkage_name : frame.function);
  if (!is_nameless(function)) {
    return demangled(function).value_or(std::string(function));
  }
  if (frame.module == 0) {
    return function.empty() ? (frame.address == 0 ? "[unknown]" : fmt::format("{:#x}", frame.address))
                            : std::string(function);
  }
  const std::string_view module = file_name_of(recording.text(frame.module));
  return frame.address == 0 ? fmt::format("[unknown in {}]", module) : fmt::format("{}+{:#x}", module, frame.address);
}

}  // namespace allocgate

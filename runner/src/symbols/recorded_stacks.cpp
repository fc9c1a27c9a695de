// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/recorded_stacks.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>
#include <utility>

namespace allocgate {

namespace {

constexpr auto k_measures = std::to_array<std::string_view>({"allocations", "allocated_bytes"});
// Only where the recording followed the blocks.
constexpr auto k_life_measures =
    std::to_array<std::string_view>({"live_allocations", "deallocations", "deallocated_bytes", "live_bytes",
                                     "peak_live_bytes", "temporary_allocations"});

Count signed_count(std::uint64_t value) {
  return static_cast<Count>(value);
}

/// One address of one module.
struct Place {
  std::size_t module = 0;  // as CodeNames counts
  std::uint64_t address = 0;

  bool operator==(const Place&) const = default;
};

struct PlaceHash {
  std::size_t operator()(const Place& place) const {
    std::uint64_t hash = (place.address + place.module) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
    return static_cast<std::size_t>(hash * 0xBF58476D1CE4E5B9U);
  }
};

class Converter {
public:
  Converter(std::span<const StackSection> sections, CodeNames& names, const RecordedStacksOptions& options)
      : m_sections(sections), m_names(names), m_options(options) {}

  Recording convert(const NamesForPeople& people) {
    m_recording.has_modules = true;
    if (!m_options.main_executable.empty()) {
      m_recording.main_module = m_recording.text(m_options.main_executable);
    }
    add_measures();
    look_up_all();
    name_for_people(people);
    make_frames();
    for (std::size_t i = 0; i < m_sections.size(); ++i) {
      add_section(m_sections[i], m_modules[i]);
    }
    m_recording.freeze();
    return std::move(m_recording);
  }

private:
  /// A place that was looked up, and where its frames are in m_code and m_frames.
  struct Looked {
    Place place;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  void add_measures() {
    for (const std::string_view name : k_measures) {
      add_measure(name);
    }
    m_has_life = std::any_of(m_sections.begin(), m_sections.end(),
                             [](const StackSection& section) { return section.unattributed_life.has_value(); });
    if (m_has_life) {
      for (const std::string_view name : k_life_measures) {
        add_measure(name);
      }
    }
  }

  void add_measure(std::string_view name) {
    const bool is_bytes = name.size() > 5 && name.substr(name.size() - 5) == "bytes";
    m_recording.add_measure({std::string(name), is_bytes ? "bytes" : "count", std::string(name)});
  }

  void look_up_all() {
    for (const StackSection& section : m_sections) {
      std::vector<std::size_t>& modules = m_modules.emplace_back();
      for (const StackModule& module : section.modules) {
        const std::size_t number = m_names.module(module.path, module.build_id);
        modules.push_back(number);
        m_module_texts.resize(std::max(m_module_texts.size(), number + 1));
        m_module_texts[number] = m_recording.text(module.path);
      }
      for (const RecordedStack& stack : section.stacks) {
        for (const StackFrame& frame : stack.frames) {
          if (frame.module < modules.size()) {
            look_up({modules[frame.module], frame.offset});
          }
        }
      }
    }
  }

  void look_up(const Place& place) {
    const auto [known, is_new] = m_indices.try_emplace(place, m_looked.size());
    if (!is_new) {
      return;
    }
    std::span<const CodeFrame> frames = m_names.frames_at(place.module, place.address);
    if (!m_options.inlined) {
      frames = frames.last(1);
    }
    m_looked.push_back({place, m_code.size(), frames.size()});
    m_code.insert(m_code.end(), frames.begin(), frames.end());
  }

  void name_for_people(const NamesForPeople& people) {
    std::vector<std::string_view> symbols;
    for (const CodeFrame& frame : m_code) {
      if (!frame.name.empty() && m_shown.try_emplace(frame.name, 0).second) {
        symbols.push_back(frame.name);
      }
    }
    const std::vector<std::string> shown = people(symbols);
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      m_shown[symbols[i]] = m_recording.text(shown[i]);
    }
  }

  void make_frames() {
    for (const Looked& looked : m_looked) {
      for (std::size_t i = 0; i < looked.count; ++i) {
        m_frames.push_back(
            frame_of(m_code[looked.first + i], m_module_texts[looked.place.module], looked.place.address));
      }
    }
  }

  FrameId marker(std::string_view name) {
    Frame frame;
    frame.function = m_recording.text(name);
    return m_recording.frame(frame);
  }

  FrameId frame_of(const CodeFrame& code, TextId module, std::uint64_t address) {
    Frame frame;
    frame.module = module;
    frame.file = m_recording.text(below_root(code.file));
    frame.line = code.line;
    frame.inlined = code.inlined && m_options.inlined;
    if (code.name.empty()) {
      frame.address = address;
    } else {
      frame.function = m_shown[code.name];
      const TextId symbol = m_recording.text(code.name);
      frame.linkage_name = symbol == frame.function ? 0 : symbol;
    }
    return m_recording.frame(frame);
  }

  [[nodiscard]] std::string_view below_root(std::string_view file) const {
    const std::string& root = m_options.source_root;
    const bool is_below =
        !root.empty() && file.size() > root.size() && file.starts_with(root) && file[root.size()] == '/';
    return is_below ? file.substr(root.size() + 1) : file;
  }

  void append_frames(const StackFrame& frame, const std::vector<std::size_t>& modules, std::vector<FrameId>& frames) {
    if (frame.module == k_frames_cut) {
      frames.push_back(marker(k_cut));
      return;
    }
    if (frame.module >= modules.size()) {
      frames.push_back(marker(k_generated_code));
      return;
    }
    const Looked& looked = m_looked[m_indices.at({modules[frame.module], frame.offset})];
    frames.insert(frames.end(), m_frames.begin() + static_cast<std::ptrdiff_t>(looked.first),
                  m_frames.begin() + static_cast<std::ptrdiff_t>(looked.first + looked.count));
  }

  void append_ending(StackEnding ending, std::vector<FrameId>& frames) {
    switch (ending) {
      case StackEnding::outermost:
      case StackEnding::no_module:  // its last frame is a marker already
        return;
      case StackEnding::cut:
        frames.push_back(marker(k_cut));
        return;
      case StackEnding::no_rule:
      case StackEnding::unreadable:
        frames.push_back(marker(k_no_unwind_table));
        return;
    }
  }

  void add_section(const StackSection& section, const std::vector<std::size_t>& modules) {
    std::vector<FrameId> frames;
    for (const RecordedStack& stack : section.stacks) {
      frames.clear();
      for (const StackFrame& frame : stack.frames) {
        append_frames(frame, modules, frames);
      }
      append_ending(stack.ending, frames);
      const StackId id = m_recording.stack(frames);
      for (std::size_t slot = 0; slot < stack.counters.size_classes.size(); ++slot) {
        if (stack.counters.size_classes[slot] != 0) {
          add(id, values_of(stack.counters.size_classes[slot], stack.counters.size_class_bytes[slot]),
              static_cast<int>(slot));
        }
      }
      if (stack.life) {
        add(id, values_of(*stack.life), Recording::k_any_size);
      }
    }
    std::vector<Count> without_stack = values_of(section.unattributed.allocations, section.unattributed.bytes);
    if (section.unattributed_life) {
      const std::vector<Count> life = values_of(*section.unattributed_life);
      std::transform(life.begin(), life.end(), without_stack.begin(), without_stack.begin(), std::plus<>());
    }
    const bool is_any = std::any_of(without_stack.begin(), without_stack.end(), [](Count value) { return value != 0; });
    if (is_any && !m_recording.add_unlisted(without_stack)) {
      refuse();
    }
  }

  [[nodiscard]] std::vector<Count> values_of(std::uint64_t allocations, std::uint64_t bytes) const {
    std::vector<Count> values(m_recording.measures().size());
    values[0] = signed_count(allocations);
    values[1] = signed_count(bytes);
    if (m_has_life) {
      values[2] = values[0];  // live until values_of(life) takes away what was released
    }
    return values;
  }

  static std::vector<Count> values_of(const StackLife& life) {
    const Count deallocations = signed_count(life.deallocations);
    return {0,
            0,
            -deallocations,
            deallocations,
            signed_count(life.deallocated_bytes),
            life.live_bytes,
            life.peak_live_bytes,
            signed_count(life.temporary)};
  }

  void add(StackId stack, const std::vector<Count>& values, int size_class) {
    if (!m_recording.add(stack, values, size_class)) {
      refuse();
    }
  }

  [[noreturn]] static void refuse() {
    throw Error(ExitCode::internal_error, "the recorded stacks add up to more than fits in 64 bits");
  }

  std::span<const StackSection> m_sections;
  CodeNames& m_names;
  const RecordedStacksOptions& m_options;
  Recording m_recording;
  bool m_has_life = false;
  std::vector<std::vector<std::size_t>> m_modules;  // of each section, as CodeNames counts
  std::vector<TextId> m_module_texts;               // by the number of CodeNames
  std::vector<Looked> m_looked;
  std::unordered_map<Place, std::size_t, PlaceHash> m_indices;  // in m_looked
  std::vector<CodeFrame> m_code;
  std::vector<FrameId> m_frames;
  std::unordered_map<std::string_view, TextId> m_shown;
};

}  // namespace

Recording recording_of(std::span<const StackSection> sections, CodeNames& names, const NamesForPeople& people,
                       const RecordedStacksOptions& options) {
  return Converter(sections, names, options).convert(people);
}

}  // namespace allocgate

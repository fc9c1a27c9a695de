// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/result.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"
#include "recordings/pprof_fields.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include <protozero/pbf_builder.hpp>

namespace allocgate {

namespace {

template <typename Tag>
using Builder = protozero::pbf_builder<Tag>;

// Modules get ranges of addresses of their own: what was loaded where does not belong to a recording.
constexpr unsigned k_bits_of_a_module = 40;

class Writer {
public:
  explicit Writer(const Recording& recording) : m_recording(recording), m_profile(m_text) {}

  std::string write() {
    string_index("");
    for (const RecordedMeasure& measure : m_recording.measures()) {
      Builder<pprof::ValueType> type(m_profile, pprof::Profile::sample_type);
      type.add_int64(pprof::ValueType::type, string_index(measure.name));
      type.add_int64(pprof::ValueType::unit, string_index(measure.unit));
    }
    add_mapping(main_module_of(m_recording));  // the first is the main executable, known or not
    for (std::size_t entry = 0; entry < m_recording.entry_count(); ++entry) {
      add_sample(entry);
    }
    for (const std::string& comment : comments()) {
      m_profile.add_int64(pprof::Profile::comment, string_index(comment));
    }
    if (const auto measure = main_measure(m_recording)) {
      m_profile.add_int64(pprof::Profile::default_sample_type, string_index(m_recording.measures()[*measure].name));
    }
    for (const std::string& string : m_strings) {
      m_profile.add_string(pprof::Profile::string_table, string);
    }
    return gzipped(m_text);
  }

private:
  std::vector<std::string> comments() const {
    std::vector<std::string> comments;
    if (m_recording.iterations) {
      comments.push_back(fmt::format("{}{}", pprof::k_comment_iterations, *m_recording.iterations));
    }
    if (!m_recording.command.empty()) {
      comments.push_back(std::string(pprof::k_comment_command) + m_recording.command);
    }
    for (const std::string& note : m_recording.notes) {
      comments.push_back(std::string(pprof::k_comment_note) + note);
    }
    return comments;
  }

  std::int64_t string_index(std::string_view text) {
    const auto [entry, is_new] = m_string_indices.emplace(text, static_cast<std::int64_t>(m_strings.size()));
    if (is_new) {
      m_strings.emplace_back(text);
    }
    return entry->second;
  }

  std::uint64_t add_mapping(TextId module) {
    const auto [entry, is_new] = m_mappings.emplace(module, m_mappings.size() + 1);
    if (is_new) {
      const std::uint64_t id = entry->second;
      Builder<pprof::Mapping> mapping(m_profile, pprof::Profile::mapping);
      mapping.add_uint64(pprof::Mapping::id, id);
      mapping.add_uint64(pprof::Mapping::memory_start, start_of(id));
      mapping.add_uint64(pprof::Mapping::memory_limit, start_of(id + 1));
      mapping.add_int64(pprof::Mapping::filename, string_index(m_recording.text(module)));
      // So that nobody tries to find out again what we know.
      for (const auto known : {pprof::Mapping::has_functions, pprof::Mapping::has_filenames,
                               pprof::Mapping::has_line_numbers, pprof::Mapping::has_inline_frames}) {
        mapping.add_bool(known, true);
      }
    }
    return entry->second;
  }

  static std::uint64_t start_of(std::uint64_t mapping) { return mapping << k_bits_of_a_module; }

  std::uint64_t function_id(const Frame& frame) {
    const auto key = std::tuple(frame.function, frame.linkage_name, frame.file);
    const auto [entry, is_new] = m_functions.emplace(key, m_functions.size() + 1);
    if (is_new) {
      Builder<pprof::Function> function(m_profile, pprof::Profile::function);
      function.add_uint64(pprof::Function::id, entry->second);
      function.add_int64(pprof::Function::name, string_index(m_recording.text(frame.function)));
      function.add_int64(pprof::Function::system_name, string_index(m_recording.text(frame.linkage_name)));
      function.add_int64(pprof::Function::filename, string_index(m_recording.text(frame.file)));
    }
    return entry->second;
  }

  /// A location is a frame of the machine: what was inlined into a function, and the function.
  std::uint64_t location_id(const std::vector<FrameId>& frames) {
    const auto known = m_locations.find(frames);
    if (known != m_locations.end()) {
      return known->second;
    }
    const std::uint64_t id = m_locations.size() + 1;
    m_locations.emplace(frames, id);
    const Frame& outermost = m_recording.frame(frames.back());
    const std::uint64_t mapping = add_mapping(outermost.module);
    std::vector<std::uint64_t> functions;
    for (const FrameId frame : frames) {
      functions.push_back(has_name(m_recording.frame(frame)) ? function_id(m_recording.frame(frame)) : 0);
    }
    Builder<pprof::Location> location(m_profile, pprof::Profile::location);
    location.add_uint64(pprof::Location::id, id);
    location.add_uint64(pprof::Location::mapping_id, mapping);
    location.add_uint64(pprof::Location::address, start_of(mapping) + outermost.address);
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (functions[i] != 0) {
        Builder<pprof::Line> line(location, pprof::Location::line);
        line.add_uint64(pprof::Line::function_id, functions[i]);
        line.add_int64(pprof::Line::line, m_recording.frame(frames[i]).line);
      }
    }
    return id;
  }

  static bool has_name(const Frame& frame) { return frame.function != 0 || frame.linkage_name != 0 || frame.file != 0; }

  void add_sample(std::size_t entry) {
    std::vector<std::uint64_t> locations;
    std::vector<FrameId> place;
    for (const FrameId frame : m_recording.frames_of(m_recording.entry_stack(entry))) {
      place.push_back(frame);
      if (!m_recording.frame(frame).inlined) {
        locations.push_back(location_id(place));
        place.clear();
      }
    }
    if (!place.empty()) {
      locations.push_back(location_id(place));
    }
    const std::span<const Count> values = m_recording.entry_values(entry);
    const int size_class = m_recording.entry_size_class(entry);
    const std::int64_t label = size_class < 0 ? 0 : string_index(pprof::k_size_class_label);
    const std::int64_t sizes =
        size_class < 0 ? 0 : string_index(size_class_label(static_cast<std::size_t>(size_class)));
    Builder<pprof::Sample> sample(m_profile, pprof::Profile::sample);
    sample.add_packed_uint64(pprof::Sample::location_id, locations.begin(), locations.end());
    sample.add_packed_int64(pprof::Sample::value, values.begin(), values.end());
    if (size_class >= 0) {
      Builder<pprof::Label> size(sample, pprof::Sample::label);
      size.add_int64(pprof::Label::key, label);
      size.add_int64(pprof::Label::str, sizes);
    }
  }

  const Recording& m_recording;
  std::string m_text;
  Builder<pprof::Profile> m_profile;
  std::map<std::string, std::int64_t, std::less<>> m_string_indices;
  std::vector<std::string> m_strings;
  std::map<TextId, std::uint64_t> m_mappings;
  std::map<std::tuple<TextId, TextId, TextId>, std::uint64_t> m_functions;
  std::map<std::vector<FrameId>, std::uint64_t> m_locations;
};

}  // namespace

std::string to_pprof(const Recording& recording) {
  return Writer(recording).write();
}

}  // namespace allocgate

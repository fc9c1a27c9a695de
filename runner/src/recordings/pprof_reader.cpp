// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/result.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"
#include "recordings/pprof_fields.hpp"
#include "recordings/pprof_measures.hpp"
#include "recordings/pprof_parts.hpp"
#include "stacks/function_name.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <exception>
#include <unordered_map>

namespace allocgate {

namespace {

struct Function {
  TextId name = 0;
  TextId system_name = 0;
  TextId file = 0;
};

struct Mapping {
  TextId file = 0;
  std::uint64_t start = 0;
  std::uint64_t offset = 0;
};

class Reader : private PprofParts {
public:
  Reader(std::string_view content, const std::filesystem::path& named) : PprofParts(content, named.string()) {}

  Recording read() {
    try {
      // Whatever order the parts come in: texts, then what refers to them, then the samples.
      for_each_part([this](PprofMessage<pprof::Profile>& part) { read_string(part); });
      if (m_texts.empty() || m_texts.front() != 0) {
        refuse(
            "its table of strings is missing or does not begin with an empty string: it is not a pprof profile, or "
            "it was cut");
      }
      for_each_part([this](PprofMessage<pprof::Profile>& part) { read_description(part); });
      add_measures();
      for_each_part([this](PprofMessage<pprof::Profile>& part) { read_location(part); });
      for_each_part([this](PprofMessage<pprof::Profile>& part) { read_sample(part); });
    } catch (const protozero::exception& error) {
      refuse(fmt::format("its protocol buffers are damaged or were cut ({})", error.what()));
    }
    return std::move(m_recording);
  }

private:
  TextId text_at(std::int64_t index) const {
    if (index < 0 || static_cast<std::size_t>(index) >= m_texts.size()) {
      refuse(fmt::format("there is no string {}", index));
    }
    return m_texts[static_cast<std::size_t>(index)];
  }

  void read_string(PprofMessage<pprof::Profile>& part) {
    if (part.tag() == pprof::Profile::string_table) {
      take();
      const protozero::data_view text = inner(part);
      m_texts.push_back(m_recording.text(std::string_view(text.data(), text.size())));
    }
  }

  void read_description(PprofMessage<pprof::Profile>& part) {
    switch (part.tag()) {
      case pprof::Profile::sample_type:
        take();
        return read_sample_type(PprofMessage<pprof::ValueType>(inner(part)));
      case pprof::Profile::mapping:
        take();
        return read_mapping(PprofMessage<pprof::Mapping>(inner(part)));
      case pprof::Profile::function:
        take();
        return read_function(PprofMessage<pprof::Function>(inner(part)));
      case pprof::Profile::comment:
        take();
        return read_comments(part);
      default:
        return;
    }
  }

  void read_sample_type(PprofMessage<pprof::ValueType> message) {
    RecordedMeasure measure;
    while (message.next()) {
      switch (message.tag()) {
        case pprof::ValueType::type:
          measure.given_name = m_recording.text(text_at(signed_number(message)));
          break;
        case pprof::ValueType::unit:
          measure.unit = m_recording.text(text_at(signed_number(message)));
          break;
        default:
          message.skip();
      }
    }
    m_sample_types.push_back(std::move(measure));
  }

  void add_measures() {
    if (m_sample_types.empty()) {
      refuse("it has no sample types: it is not a pprof profile, or it was cut");
    }
    for (RecordedMeasure& measure : under_our_names(std::move(m_sample_types))) {
      m_recording.add_measure(std::move(measure));
    }
  }

  void read_mapping(PprofMessage<pprof::Mapping> message) {
    std::uint64_t id = 0;
    Mapping mapping;
    while (message.next()) {
      switch (message.tag()) {
        case pprof::Mapping::id:
          id = number(message);
          break;
        case pprof::Mapping::memory_start:
          mapping.start = number(message);
          break;
        case pprof::Mapping::file_offset:
          mapping.offset = number(message);
          break;
        case pprof::Mapping::filename:
          mapping.file = text_at(signed_number(message));
          break;
        default:
          message.skip();
      }
    }
    if (m_mappings.empty()) {
      m_recording.main_module = mapping.file;  // by convention, and by ours
    }
    m_recording.has_modules = m_recording.has_modules || mapping.file != 0;
    m_mappings[id] = mapping;
  }

  void read_function(PprofMessage<pprof::Function> message) {
    std::uint64_t id = 0;
    Function function;
    while (message.next()) {
      switch (message.tag()) {
        case pprof::Function::id:
          id = number(message);
          break;
        case pprof::Function::name:
          function.name = text_at(signed_number(message));
          break;
        case pprof::Function::system_name:
          function.system_name = text_at(signed_number(message));
          break;
        case pprof::Function::filename:
          function.file = text_at(signed_number(message));
          break;
        default:
          message.skip();
      }
    }
    if (function.system_name == function.name) {
      function.system_name = 0;
    }
    m_functions[id] = function;
  }

  void read_comments(PprofMessage<pprof::Profile>& part) {
    if (part.wire_type() == protozero::pbf_wire_type::length_delimited) {
      for (const std::int64_t comment : part.get_packed_int64()) {
        read_comment(m_recording.text(text_at(comment)));
      }
    } else {
      read_comment(m_recording.text(text_at(signed_number(part))));
    }
  }

  void read_comment(std::string_view comment) {
    const auto rest_after = [comment](std::string_view beginning) {
      return comment.substr(0, beginning.size()) == beginning ? std::optional(comment.substr(beginning.size()))
                                                              : std::nullopt;
    };
    if (const auto iterations = rest_after(pprof::k_comment_iterations)) {
      const std::optional<std::int64_t> number = decimal_number(*iterations);
      if (!number || *number < 1) {
        refuse(fmt::format("'{}' is not a number of iterations", *iterations));
      }
      m_recording.iterations = static_cast<std::uint64_t>(*number);
    } else if (const auto command = rest_after(pprof::k_comment_command)) {
      m_recording.command = *command;
    } else if (const auto note = rest_after(pprof::k_comment_note)) {
      m_recording.notes.emplace_back(*note);
    }
  }

  void read_location(PprofMessage<pprof::Profile>& part) {
    if (part.tag() != pprof::Profile::location) {
      return;
    }
    take();
    PprofMessage<pprof::Location> message(inner(part));
    std::uint64_t id = 0;
    std::uint64_t mapping_id = 0;
    std::uint64_t address = 0;
    std::vector<Frame> frames;
    while (message.next()) {
      switch (message.tag()) {
        case pprof::Location::id:
          id = number(message);
          break;
        case pprof::Location::mapping_id:
          mapping_id = number(message);
          break;
        case pprof::Location::address:
          address = number(message);
          break;
        case pprof::Location::line:
          frames.push_back(frame_of(PprofMessage<pprof::Line>(inner(message))));
          break;
        default:
          message.skip();
      }
    }
    const auto mapping = m_mappings.find(mapping_id);
    if (mapping == m_mappings.end() && mapping_id != 0) {
      refuse(fmt::format("there is no mapping {}", mapping_id));
    }
    const Mapping place = mapping == m_mappings.end() ? Mapping() : mapping->second;
    if (frames.empty()) {
      frames.emplace_back();
      frames.back().address = address - (address >= place.start ? place.start - place.offset : 0);
    }
    std::vector<FrameId>& ids = m_locations[id];
    ids.clear();
    for (Frame& frame : frames) {
      frame.module = place.file;
      frame.inlined = &frame != &frames.back();
      ids.push_back(m_recording.frame(frame));
    }
  }

  Frame frame_of(PprofMessage<pprof::Line> message) {
    Frame frame;
    std::uint64_t function_id = 0;
    while (message.next()) {
      switch (message.tag()) {
        case pprof::Line::function_id:
          function_id = number(message);
          break;
        case pprof::Line::line:
          frame.line = static_cast<std::uint32_t>(std::max<std::int64_t>(0, signed_number(message)));
          break;
        default:
          message.skip();
      }
    }
    const auto function = m_functions.find(function_id);
    if (function == m_functions.end()) {
      refuse(fmt::format("there is no function {}", function_id));
    }
    frame.function = function->second.name;
    frame.linkage_name = function->second.system_name;
    frame.file = function->second.file;
    return frame;
  }

  void read_sample(PprofMessage<pprof::Profile>& part) {
    if (part.tag() != pprof::Profile::sample) {
      return;
    }
    take();
    PprofMessage<pprof::Sample> message(inner(part));
    m_sample_locations.clear();
    m_values.clear();
    int size_class = Recording::k_any_size;
    while (message.next()) {
      const bool is_packed = message.wire_type() == protozero::pbf_wire_type::length_delimited;
      switch (message.tag()) {
        case pprof::Sample::location_id:
          if (is_packed) {
            const auto ids = message.get_packed_uint64();
            m_sample_locations.insert(m_sample_locations.end(), ids.begin(), ids.end());
          } else {
            m_sample_locations.push_back(number(message));
          }
          break;
        case pprof::Sample::value:
          if (is_packed) {
            const auto values = message.get_packed_int64();
            m_values.insert(m_values.end(), values.begin(), values.end());
          } else {
            m_values.push_back(signed_number(message));
          }
          break;
        case pprof::Sample::label:
          read_label(PprofMessage<pprof::Label>(inner(message)), size_class);
          break;
        default:
          message.skip();
      }
    }
    add_sample(size_class);
  }

  void read_label(PprofMessage<pprof::Label> message, int& size_class) {
    std::string_view key;
    std::string_view text;
    std::int64_t number = 0;  // what is not written is 0
    while (message.next()) {
      switch (message.tag()) {
        case pprof::Label::key:
          key = m_recording.text(text_at(signed_number(message)));
          break;
        case pprof::Label::str:
          text = m_recording.text(text_at(signed_number(message)));
          break;
        case pprof::Label::num:
          number = signed_number(message);
          break;
        default:
          message.skip();
      }
    }
    if (key == pprof::k_size_class_label) {
      for (std::size_t slot = 0; slot < k_size_classes; ++slot) {
        size_class = size_class_label(slot) == text ? static_cast<int>(slot) : size_class;
      }
    } else if (key == pprof::k_size_label && number >= 0) {
      size_class = size_class_of(static_cast<std::uint64_t>(number));
    }
  }

  void add_sample(int size_class) {
    if (m_values.size() != m_recording.measures().size()) {
      refuse(fmt::format("a sample has {} values for {} sample types", m_values.size(), m_recording.measures().size()));
    }
    StackId stack = 0;
    for (auto location = m_sample_locations.rbegin(); location != m_sample_locations.rend(); ++location) {
      const auto frames = m_locations.find(*location);
      if (frames == m_locations.end()) {
        refuse(fmt::format("there is no location {}", *location));
      }
      for (auto frame = frames->second.rbegin(); frame != frames->second.rend(); ++frame) {
        stack = m_recording.called_from(stack, *frame);
      }
    }
    if (stack == 0) {
      stack = m_recording.called_from(0, m_recording.frame(Frame()));
    }
    if (!m_recording.add(stack, m_values, size_class)) {
      refuse("the sum of all values does not fit in 64 bits");
    }
  }

  Recording m_recording;
  std::vector<TextId> m_texts;
  std::vector<RecordedMeasure> m_sample_types;
  std::unordered_map<std::uint64_t, Mapping> m_mappings;
  std::unordered_map<std::uint64_t, Function> m_functions;
  std::unordered_map<std::uint64_t, std::vector<FrameId>> m_locations;
  std::vector<std::uint64_t> m_sample_locations;
  std::vector<Count> m_values;
};

}  // namespace

bool looks_like_pprof(std::string_view beginning) {
  // The first part of a profile is a small message. A text has no such bytes at its start.
  constexpr std::size_t k_start = 64;
  const std::string_view start = beginning.substr(0, k_start);
  return std::any_of(start.begin(), start.end(), [](char character) {
    const auto code = static_cast<unsigned char>(character);
    constexpr unsigned char k_tab = 9;
    constexpr unsigned char k_shift_out = 14;
    constexpr unsigned char k_space = 32;
    constexpr unsigned char k_escape = 27;
    return code < k_tab || (code >= k_shift_out && code < k_space && code != k_escape);
  });
}

Recording read_pprof(std::string_view content, const std::filesystem::path& named) {
  return Reader(content, named).read();
}

}  // namespace allocgate

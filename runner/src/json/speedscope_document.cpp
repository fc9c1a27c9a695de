// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/version.hpp"
#include "json/stack_documents.hpp"
#include "json/value.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <map>

namespace allocgate {

namespace {

std::string frames_text(const Recording& recording) {
  std::string text;
  for (FrameId id = 0; id < recording.frame_count(); ++id) {
    const Frame& frame = recording.frame(id);
    text += fmt::format("{}{{\"name\":{}", id == 0 ? "\n" : ",\n", quoted_json(shown_name(recording, frame)));
    if (frame.file != 0) {
      text += fmt::format(",\"file\":{}", quoted_json(recording.text(frame.file)));
      text += frame.line == 0 ? std::string() : fmt::format(",\"line\":{}", frame.line);
    }
    text += "}";
  }
  return text;
}

/// One measure; nothing when a stack's value is negative, which no picture of areas can show.
std::string profile_text(const Recording& recording, std::size_t measure) {
  std::map<StackId, Count> stacks;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    stacks[recording.entry_stack(entry)] += recording.entry_values(entry)[measure];
  }
  std::string samples;
  std::string weights;
  Count sum = 0;
  for (const auto& [stack, value] : stacks) {
    if (value < 0) {
      return {};
    }
    if (value == 0) {
      continue;
    }
    const std::vector<FrameId> frames = recording.frames_of(stack);
    std::string sample;
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
      sample += fmt::format("{}{}", sample.empty() ? "" : ",", *frame);
    }
    samples += fmt::format("{}[{}]", samples.empty() ? "\n" : ",\n", sample);
    weights += fmt::format("{}{}", weights.empty() ? "" : ",", value);
    sum += value;
  }
  const RecordedMeasure& shown = recording.measures()[measure];
  return fmt::format(
      "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\n\"samples\":[{}],\n"
      "\"weights\":[{}]}}",
      quoted_json(shown.name), shown.unit == "bytes" ? "bytes" : "none", sum, samples, weights);
}

}  // namespace

std::string to_speedscope(const Recording& recording, std::string_view name) {
  std::string profiles;
  std::size_t written = 0;
  std::size_t active = 0;
  for (std::size_t measure = 0; measure < recording.measures().size(); ++measure) {
    const std::string profile = profile_text(recording, measure);
    if (!profile.empty()) {
      active = measure == main_measure(recording) ? written : active;
      profiles += (written == 0 ? "\n" : ",\n") + profile;
      ++written;
    }
  }
  return fmt::format(
      "{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"allocgate@{}\",\n"
      "\"name\":{},\"activeProfileIndex\":{},\n\"shared\":{{\"frames\":[{}]}},\n\"profiles\":[{}]}}\n",
      version(), quoted_json(name), active, frames_text(recording), profiles);
}

}  // namespace allocgate

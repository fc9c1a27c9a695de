// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/cursor.hpp"
#include "json/located.hpp"
#include "json/stack_documents.hpp"
#include "json/value.hpp"
#include "stacks/function_name.hpp"
#include "stacks/name_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>

namespace allocgate {

namespace {

constexpr std::string_view k_remedy = "record it again";
constexpr std::int64_t k_dhat_version = 2;

/// A member of a program point and the measure it is.
struct DhatMember {
  std::string_view member;
  RecordedMeasure measure;
};

std::vector<DhatMember> members_of(const std::string& mode, bool has_lifetimes) {
  if (mode == "copy") {
    return {{"tbk", {"copies", "count", "tbk"}}, {"tb", {"copied_bytes", "bytes", "tb"}}};
  }
  if (mode == "ad-hoc") {
    return {{"tbk", {"events", "count", "tbk"}}, {"tb", {"units", "count", "tb"}}};
  }
  std::vector<DhatMember> members = {{"tbk", {"allocations", "count", "tbk"}},
                                     {"tb", {"allocated_bytes", "bytes", "tb"}}};
  if (has_lifetimes) {
    members.push_back({"ebk", {"live_allocations", "count", "ebk"}});
    members.push_back({"eb", {"live_bytes", "bytes", "eb"}});
  }
  return members;
}

/// "0x1095BB: run(int) (run.cpp:12)", "0x1095BB: malloc (in /usr/lib/libc.so.6)", "0x1095BB: ???".
Frame frame_of(std::string_view text, Recording& recording) {
  Frame frame;
  const std::size_t colon = text.find(": ");
  if (colon != std::string_view::npos && is_nameless(text.substr(0, colon))) {
    text.remove_prefix(colon + 2);
  }
  const std::size_t paren = text.rfind(" (");
  if (paren != std::string_view::npos && text.back() == ')') {
    std::string_view place = text.substr(paren + 2, text.size() - paren - 3);
    if (place.substr(0, 3) == "in ") {
      frame.module = recording.text(place.substr(3));
      text = text.substr(0, paren);
    } else if (const std::size_t line = place.find(':'); line != std::string_view::npos) {
      // dhat-rs gives the column too.
      const auto [end, error] = std::from_chars(place.data() + line + 1, place.data() + place.size(), frame.line);
      if (error == std::errc() && (end == place.data() + place.size() || *end == ':')) {
        frame.file = recording.text(place.substr(0, line));
        text = text.substr(0, paren);
      }
    }
  }
  frame.function = is_nameless(text) ? 0 : recording.text(text);
  return frame;
}

class DhatReader {
public:
  explicit DhatReader(const JsonCursor& root) : m_root(root) {}

  Recording read() {
    const JsonCursor version = m_root.at("dhatFileVersion");
    if (version.integer() != k_dhat_version) {
      version.refuse(fmt::format("version {} can be read, not {}", k_dhat_version, version.integer()));
    }
    const std::vector<DhatMember> members = members_of(m_root.at("mode").text(), m_root.at("bklt").truth());
    for (const DhatMember& member : members) {
      m_recording.add_measure(member.measure);
    }
    if (const auto command = m_root.find("cmd")) {
      m_recording.command = command->text();
    }
    for (const std::string& text : m_root.at("ftbl").texts()) {
      m_frames.push_back(m_recording.frame(frame_of(text, m_recording)));
    }
    for (const JsonCursor& point : m_root.at("pps").elements()) {
      read_point(point, members);
    }
    return std::move(m_recording);
  }

private:
  void read_point(const JsonCursor& point, const std::vector<DhatMember>& members) {
    std::vector<Count> values;
    for (const DhatMember& member : members) {
      values.push_back(static_cast<Count>(point.at(member.member).natural()));
    }
    std::vector<FrameId> frames;
    for (const JsonCursor& index : point.at("fs").elements()) {
      const std::uint64_t position = index.natural();
      if (position >= m_frames.size()) {
        index.refuse(fmt::format("there is no frame {}", position));
      }
      if (position != 0) {  // "[root]"
        frames.push_back(m_frames[position]);
      }
    }
    if (frames.empty()) {
      frames.push_back(m_recording.frame(Frame()));
    }
    if (!m_recording.add(m_recording.stack(frames), values)) {
      point.refuse("with this one the sum does not fit in 64 bits");
    }
  }

  const JsonCursor& m_root;
  Recording m_recording;
  std::vector<FrameId> m_frames;
};

/// "run.cpp:12", "run.cpp", "".
void set_place(Frame& frame, std::string_view place, Recording& recording) {
  const std::size_t colon = place.rfind(':');
  if (colon != std::string_view::npos) {
    const char* const end = place.data() + place.size();
    const auto [rest, error] = std::from_chars(place.data() + colon + 1, end, frame.line);
    if (error == std::errc() && rest == end) {
      place = place.substr(0, colon);
    } else {
      frame.line = 0;
    }
  }
  frame.file = recording.text(place);
}

Recording recording_of_ours(const JsonCursor& root) {
  Recording recording;
  std::vector<std::string> names;
  for (const JsonCursor& measure : root.at("measures").elements()) {
    names.push_back(measure.at("name").name());
    recording.add_measure({names.back(), measure.at("unit").text(), {}});
  }
  if (const auto command = root.find("command")) {
    recording.command = command->text();
  }
  if (const auto iterations = root.find("iterations")) {
    recording.iterations = iterations->positive();
  }
  const auto values_in = [&names](const JsonCursor& object) {
    std::vector<Count> values;
    for (const std::string& name : names) {
      values.push_back(object.at(name).integer());
    }
    return values;
  };
  for (const JsonCursor& stack : root.at("stacks").elements()) {
    const std::vector<std::string> functions = stack.at("frames").texts();
    std::vector<FrameId> frames;
    const auto given_places = stack.find("places");
    const std::vector<std::string> places =
        given_places ? given_places->texts() : std::vector<std::string>(functions.size());
    if (places.size() != functions.size()) {
      given_places->refuse(fmt::format("there are {} places for {} frames", places.size(), functions.size()));
    }
    for (std::size_t i = 0; i < functions.size(); ++i) {
      Frame frame;
      frame.function = recording.text(functions[i]);
      set_place(frame, places[i], recording);
      frames.push_back(recording.frame(frame));
    }
    const std::vector<Count> values = values_in(stack.at("measures"));
    if (!recording.add(recording.stack(frames), values)) {
      stack.refuse("with this one the sum does not fit in 64 bits");
    }
  }
  // What --filter and --min left out is not listed, but part of the total.
  std::vector<Count> rest = values_in(root.at("total"));
  for (std::size_t i = 0; i < rest.size(); ++i) {
    if (__builtin_sub_overflow(rest[i], recording.totals()[i], &rest[i])) {
      root.at("total").refuse("the total and the sum of the stacks are too far apart for 64 bits");
    }
  }
  if (std::any_of(rest.begin(), rest.end(), [](Count value) { return value != 0; }) && !recording.add_unlisted(rest)) {
    root.at("total").refuse("it does not fit in 64 bits with the stacks");
  }
  return recording;
}

std::string frame_text(const Recording& recording, FrameId id) {
  const Frame& frame = recording.frame(id);
  const std::string name = shown_name(recording, frame);
  const std::string place = place_of(recording, frame);
  if (!place.empty()) {
    return fmt::format("0x{:X}: {} ({})", id + 1, name, frame.line == 0 ? place + ":0" : place);
  }
  return frame.module == 0 ? fmt::format("0x{:X}: {}", id + 1, name)
                           : fmt::format("0x{:X}: {} (in {})", id + 1, name, recording.text(frame.module));
}

}  // namespace

bool looks_like_json(std::string_view beginning) {
  const std::size_t first = beginning.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  return first != std::string_view::npos && beginning[first] == '{';
}

Recording recording_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, std::string(k_remedy));
  const JsonCursor root(document);
  if (root.find("dhatFileVersion")) {
    return DhatReader(root).read();
  }
  if (root.find("schema")) {
    root.require_schema(k_stacks_schema);
    return recording_of_ours(root);
  }
  root.refuse(
      "it is no JSON with call stacks that we know: neither DHAT's (\"dhatFileVersion\") nor ours (\"schema\")");
}

std::string to_dhat(const Recording& recording) {
  const std::optional<std::size_t> count = main_measure(recording);
  const std::optional<std::size_t> bytes = recording.find_measure("allocated_bytes");
  std::map<StackId, std::pair<Count, Count>> points;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    auto& [blocks, size] = points[recording.entry_stack(entry)];
    blocks += count ? recording.entry_values(entry)[*count] : 0;
    size += bytes ? recording.entry_values(entry)[*bytes] : 0;
  }
  std::string text = fmt::format(
      "{{\"dhatFileVersion\":{},\"mode\":\"heap\",\"verb\":\"Allocated\",\"bklt\":false,\"bkacc\":false,\n"
      "\"tu\":\"instrs\",\"Mtu\":\"Minstr\",\"cmd\":{},\"pid\":0,\"te\":0,\n\"pps\":[",
      k_dhat_version, quoted_json(recording.command));
  std::string_view separator = "\n";
  for (const auto& [stack, values] : points) {
    std::string frames;
    for (const FrameId frame : recording.frames_of(stack)) {
      frames += fmt::format("{}{}", frames.empty() ? "" : ",", frame + 1);
    }
    text += fmt::format("{}{{\"tb\":{},\"tbk\":{},\"fs\":[{}]}}", separator, values.second, values.first, frames);
    separator = ",\n";
  }
  text += "],\n\"ftbl\":[\"[root]\"";
  for (FrameId frame = 0; frame < recording.frame_count(); ++frame) {
    text += ",\n" + quoted_json(frame_text(recording, frame));
  }
  return text + "]}\n";
}

}  // namespace allocgate

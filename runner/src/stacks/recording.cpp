// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/recording.hpp"

#include "stacks/mixed_bits.hpp"

#include "model/wide.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>

namespace allocgate {

namespace {

std::size_t hash_of(const Frame& frame) {
  std::uint64_t hash = (std::uint64_t{frame.function} << 32U) | frame.linkage_name;
  hash = mixed_bits(hash) ^ ((std::uint64_t{frame.file} << 32U) | frame.line);
  hash = mixed_bits(hash) ^ ((std::uint64_t{frame.module} << 1U) | (frame.inlined ? 1U : 0U));
  return mixed_bits(mixed_bits(hash) ^ frame.address);
}

bool stands_for_unlisted(std::string_view function) {
  return function == k_not_listed || function == k_other_places;
}

}  // namespace

Recording::Recording() : m_texts(1) {
  m_text_ids.emplace(m_texts.front(), 0);
}

TextId Recording::text(std::string_view text) {
  const auto found = m_text_ids.find(text);
  if (found != m_text_ids.end()) {
    return found->second;
  }
  m_texts.emplace_back(text);
  const auto id = static_cast<TextId>(m_texts.size() - 1);
  m_text_ids.emplace(m_texts.back(), id);
  return id;
}

FrameId Recording::frame(const Frame& frame) {
  const std::size_t hash = hash_of(frame);
  const auto [first, last] = m_frame_ids.equal_range(hash);
  for (auto candidate = first; candidate != last; ++candidate) {
    if (m_frames[candidate->second] == frame) {
      return candidate->second;
    }
  }
  m_frames.push_back(frame);
  m_has_unlisted_frames = m_has_unlisted_frames || stands_for_unlisted(text(frame.function));
  const auto id = static_cast<FrameId>(m_frames.size() - 1);
  m_frame_ids.emplace(hash, id);
  return id;
}

StackId Recording::stack(std::span<const FrameId> frames) {
  StackId stack = 0;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    stack = called_from(stack, *frame);
  }
  return stack;
}

std::size_t Recording::add_measure(RecordedMeasure measure) {
  assert(m_entries.empty());
  if (measure.given_name.empty()) {
    measure.given_name = measure.name;
  }
  m_measures.push_back(std::move(measure));
  m_totals.push_back(0);
  m_unlisted.push_back(0);
  m_magnitudes.push_back(0);
  return m_measures.size() - 1;
}

std::optional<std::size_t> Recording::find_measure(std::string_view name) const {
  for (const auto member : {&RecordedMeasure::name, &RecordedMeasure::given_name}) {
    for (std::size_t i = 0; i < m_measures.size(); ++i) {
      if (m_measures[i].*member == name) {
        return i;
      }
    }
  }
  return std::nullopt;
}

bool Recording::add(StackId stack, std::span<const Count> values, int size_class) {
  assert(values.size() == m_measures.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    constexpr std::uint64_t k_most = std::numeric_limits<Count>::max();
    if (magnitude(values[i]) > k_most - m_magnitudes[i]) {
      return false;
    }
  }
  const bool unlisted = is_unlisted(stack);
  for (std::size_t i = 0; i < values.size(); ++i) {
    m_magnitudes[i] += magnitude(values[i]);
    m_totals[i] += values[i];
    m_unlisted[i] += unlisted ? values[i] : 0;
  }
  m_entries.push_back({stack, size_class});
  m_values.insert(m_values.end(), values.begin(), values.end());
  return true;
}

bool Recording::add_unlisted(std::span<const Count> values, StackId stack) {
  Frame placeholder;
  placeholder.function = text(stack == 0 ? k_not_listed : k_other_places);
  std::vector<FrameId> frames = frames_of(stack);
  frames.push_back(frame(placeholder));
  return add(this->stack(frames), values);
}

bool Recording::is_unlisted(StackId stack) const {
  if (!m_has_unlisted_frames || stack == 0) {
    return false;
  }
  while (m_tree.caller(stack) != 0) {
    stack = m_tree.caller(stack);
  }
  return stands_for_unlisted(text(m_frames[m_tree.frame(stack)].function));
}

std::optional<std::size_t> main_measure(const Recording& recording) {
  constexpr auto k_by_preference =
      std::to_array<std::string_view>({"allocations", "alloc_objects", "objects", "samples"});
  for (const std::string_view name : k_by_preference) {
    if (const auto found = recording.find_measure(name)) {
      return found;
    }
  }
  return recording.measures().empty() ? std::nullopt : std::optional<std::size_t>(0);
}

}  // namespace allocgate

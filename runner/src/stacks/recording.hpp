// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measure.hpp"
#include "stacks/call_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace allocgate {

/// A text that a recording holds once. 0 is the empty text: "not known".
using TextId = std::uint32_t;
using FrameId = std::uint32_t;
/// A stack: the node of its innermost frame in the tree of calls, which leads to its callers. 0 is the empty stack.
using StackId = std::uint32_t;

/// One frame as it was recorded. Names, places and modules are texts of the same recording.
struct Frame {
  TextId function = 0;      // for people, demangled where somebody could; 0 for code without a name
  TextId linkage_name = 0;  // as the linker knows it (mangled); 0 where it is the same or not known
  TextId file = 0;
  TextId module = 0;  // path of the executable or library; of inlined frames too
  std::uint32_t line = 0;
  bool inlined = false;       // into the next frame outward
  std::uint64_t address = 0;  // in the module as its own headers count; only of code without a name, else 0

  bool operator==(const Frame&) const = default;
};

/// A quantity that each stack has a value of. `name` is one of model/measures.def where it means the same; `given_name`
/// is what the file called it.
struct RecordedMeasure {
  std::string name;
  std::string unit;
  std::string given_name;
};

// Frames that stand for what a file does not list; they are the outermost of their stack.
constexpr std::string_view k_not_listed = "[not listed]";      // stacks of which only the sum is known
constexpr std::string_view k_other_places = "[other places]";  // callers of a known frame that were left out
// Frames that stand for callers that the capture could not reach.
constexpr std::string_view k_cut = "[cut]";                          // deeper than the capture goes
constexpr std::string_view k_no_unwind_table = "[no unwind table]";  // the next frame out cannot be found
// A frame whose code is in no module: made while the program ran.
constexpr std::string_view k_generated_code = "[generated code]";

/// What a program allocated, by call stack: the model that every reader fills and every report reads. Totals are the
/// sum of all entries: what a file counts in its total but does not list is an entry too, under k_not_listed, so that
/// they always add up. A value with interned parts, no file and no clock in it; one thread at a time.
class Recording {
public:
  Recording();
  // Moves alone: texts are found by views of where they lie.
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;
  Recording(Recording&&) = default;
  Recording& operator=(Recording&&) = default;
  ~Recording() = default;

  // --- what it is of
  std::string command;                      // empty where it is not known
  std::optional<std::uint64_t> iterations;  // how often the measured loop ran; 1 or more
  std::vector<std::string> notes;           // sentences about the recording as a whole ("truncated: ...")
  /// Whether frames know their modules. Where one of two recordings does not, they are compared by function alone.
  bool has_modules = false;
  /// The main executable's module where it is known, else 0; its name is not part of a stack's identity.
  TextId main_module = 0;

  // --- parts
  TextId text(std::string_view text);
  [[nodiscard]] std::string_view text(TextId id) const { return m_texts[id]; }
  [[nodiscard]] std::size_t text_count() const { return m_texts.size(); }

  /// Equal frames get the same number.
  FrameId frame(const Frame& frame);
  [[nodiscard]] const Frame& frame(FrameId id) const { return m_frames[id]; }
  [[nodiscard]] std::size_t frame_count() const { return m_frames.size(); }

  /// The stack `caller` with one frame more, innermost. Equal stacks get the same number, and a caller's is smaller.
  StackId called_from(StackId caller, FrameId frame) { return m_tree.child(caller, frame); }
  /// The stack of these frames, innermost first.
  StackId stack(std::span<const FrameId> frames);
  [[nodiscard]] StackId caller_of(StackId stack) const { return m_tree.caller(stack); }
  /// The innermost frame of a stack that is not empty.
  [[nodiscard]] FrameId innermost(StackId stack) const { return m_tree.frame(stack); }
  [[nodiscard]] std::vector<FrameId> frames_of(StackId stack) const { return m_tree.frames(stack); }
  /// One more than the greatest number of a stack.
  [[nodiscard]] std::size_t stack_count() const { return m_tree.size(); }
  /// Gives back memory that only adding needs; more can be added all the same.
  void freeze() { m_tree.freeze(); }

  // --- measures
  /// Adds a measure, before the first entry; its name must be new. Returns its index.
  std::size_t add_measure(RecordedMeasure measure);
  [[nodiscard]] const std::vector<RecordedMeasure>& measures() const { return m_measures; }
  /// The measure of that name, ours or as the file called it.
  [[nodiscard]] std::optional<std::size_t> find_measure(std::string_view name) const;

  // --- entries
  /// Values, one for each measure, of the allocations of `stack` in one size class (a slot as model/result.hpp counts
  /// them; negative where sizes are not known). The same stack may be added several times: its values add up. A stack
  /// whose outermost frame is k_not_listed or k_other_places counts as not listed. False, and nothing is added, when a
  /// sum would leave 64 bits.
  [[nodiscard]] bool add(StackId stack, std::span<const Count> values, int size_class = k_any_size);
  /// Values that a total has and no listed stack: of callers of `stack` that are not listed, or, for the empty stack,
  /// of anything. False as above.
  [[nodiscard]] bool add_unlisted(std::span<const Count> values, StackId stack = 0);

  static constexpr int k_any_size = -1;

  [[nodiscard]] std::size_t entry_count() const { return m_entries.size(); }
  [[nodiscard]] StackId entry_stack(std::size_t entry) const { return m_entries[entry].stack; }
  [[nodiscard]] int entry_size_class(std::size_t entry) const { return m_entries[entry].size_class; }
  [[nodiscard]] std::span<const Count> entry_values(std::size_t entry) const {
    return std::span(m_values).subspan(entry * m_measures.size(), m_measures.size());
  }

  /// Sums over all entries, and of those over what is not listed; one for each measure.
  [[nodiscard]] const std::vector<Count>& totals() const { return m_totals; }
  [[nodiscard]] const std::vector<Count>& unlisted() const { return m_unlisted; }
  /// The sum of the absolute values of a measure: every partial sum is within it.
  [[nodiscard]] std::uint64_t magnitude_of_all(std::size_t measure) const { return m_magnitudes[measure]; }

private:
  [[nodiscard]] bool is_unlisted(StackId stack) const;

  struct Entry {
    StackId stack;
    std::int32_t size_class;
  };

  std::deque<std::string> m_texts;  // does not move what it holds
  std::unordered_map<std::string_view, TextId> m_text_ids;
  std::vector<Frame> m_frames;
  bool m_has_unlisted_frames = false;                         // of k_not_listed or k_other_places
  std::unordered_multimap<std::size_t, FrameId> m_frame_ids;  // by hash
  CallTree m_tree;
  std::vector<RecordedMeasure> m_measures;
  std::vector<Entry> m_entries;
  std::vector<Count> m_values;
  std::vector<Count> m_totals;
  std::vector<Count> m_unlisted;
  std::vector<std::uint64_t> m_magnitudes;  // sums of absolute values: while these fit, every partial sum does
};

/// The measure that is shown when none is named: `allocations`, or what a file has in its place. Nothing of a recording
/// without measures.
std::optional<std::size_t> main_measure(const Recording& recording);

}  // namespace allocgate

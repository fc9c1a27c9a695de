// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

// What the hooks recorded of call stacks (hooks/include/allocgate/stack_record.h), as plain values: addresses, no
// names. Reading is pure but for the one function that opens files; any bytes are allowed. Needs nothing but the C++
// library.
namespace allocgate {

/// One loaded object. Two objects that had the same addresses one after the other are two modules.
struct StackModule {
  std::string path;          // as the loader knew it: raw bytes, to be opened; empty for what has no file
  bool path_is_cut = false;  // too long for the record: only its end is known
  std::string build_id;      // in lower-case hexadecimal digits; empty when the object has none
  std::uint64_t base = 0;    // address in memory minus address in the file
  std::uint64_t begin = 0;   // where it lay in memory
  std::uint64_t end = 0;
  std::uint32_t generation = 0;  // how often the list of loaded objects had changed when it was met
};

/// `module` of a frame in no loaded object (generated code): its offset is an absolute address.
inline constexpr std::uint32_t k_no_module = 0xffffffff;
/// `module` of the mark that stands in a stack where frames were left out, because it was too deep to keep whole.
inline constexpr std::uint32_t k_frames_cut = 0xfffffffe;

/// One frame. The offset is an address in the file of the module, inside the call instruction: to be looked up as it
/// is.
struct StackFrame {
  std::uint32_t module = k_no_module;  // index into StackSection::modules, or one of the two above
  std::uint64_t offset = 0;

  bool operator==(const StackFrame&) const = default;
};

/// Why a stack has no frame beyond its last.
enum class StackEnding {
  outermost,   // it is the thread's first: the stack is whole
  cut,         // too deep to be followed: only the innermost frames are here
  no_rule,     // its code has no unwind table, or a rule that the hooks do not know
  no_module,   // its code is in no loaded object
  unreadable,  // its caller would lie outside of the stack
};

/// Events, in all or of one stack. The size classes are those of the hook record and add up to `allocations`.
struct StackCounters {
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
  std::array<std::uint64_t, 64> size_classes{};
  std::array<std::uint64_t, 64> size_class_bytes{};  // and these to `bytes`

  void add(const StackCounters& other);
  bool operator==(const StackCounters&) const = default;
};

/// What became of a stack's blocks; only in recordings that followed them. Bytes are usable sizes.
struct StackLife {
  std::uint64_t deallocations = 0;
  std::uint64_t deallocated_bytes = 0;
  std::uint64_t temporary = 0;  // freed before their thread allocated again
  std::int64_t live_bytes = 0;
  std::int64_t peak_live_bytes = 0;  // the stack's own, not at the time of the process's
  /// Where several threads allocated at the stack, its peak is at most `peak_live_bytes`.
  bool peak_is_exact = true;

  void add(const StackLife& other);
  bool operator==(const StackLife&) const = default;
};

struct RecordedStack {
  std::vector<StackFrame> frames;  // innermost first; the function that called malloc, new and so on is the first
  StackEnding ending = StackEnding::outermost;
  StackCounters counters;
  std::optional<StackLife> life;
};

/// The stacks of one image: a process between two execs. They and `unattributed` add up to the image's counters in the
/// hook record, as long as recording was not paused.
struct StackSection {
  std::int32_t pid = 0;
  std::int32_t parent_pid = 0;
  std::uint32_t process = 0;       // index of the image's entry in the hook record, counted from its first entry
  bool truncated = false;          // memory for stacks could not be had; what came later may be in `unattributed`
  bool partial = false;            // recording was paused at times: the stacks are not the image's whole life
  std::uint64_t sample_bytes = 0;  // 0: every stack was taken; else one for so many bytes that a thread asked for
  StackCounters unattributed;      // what has no stack; of samples: also everything that was none
  std::optional<StackLife> unattributed_life;  // present where blocks were followed
  std::vector<StackModule> modules;
  std::vector<RecordedStack> stacks;  // each path of frames once; in no order that means anything
  /// Why the file is not what the hooks write, as a sentence that ends without a full stop; then the lists are empty.
  std::optional<std::string> damage;

  /// The sum over the stacks and what has none.
  [[nodiscard]] StackCounters total() const;
  [[nodiscard]] StackLife total_life() const;  // without a peak, which no sum is
};

/// Reads one section's file. What it holds twice (a stack met by two threads at once) is added up.
StackSection parse_stack_section(std::span<const std::byte> bytes);

/// All sections in the folder that ALLOCGATE_STACKS named, in the order of the hook record's entries. A file that
/// cannot be read is a section with damage; so is the folder itself.
std::vector<StackSection> read_stack_sections(const std::filesystem::path& folder);

}  // namespace allocgate

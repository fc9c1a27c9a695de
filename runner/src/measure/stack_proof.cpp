// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/stack_proof.hpp"

#include "base/text.hpp"
#include "process/private_folder.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace allocgate {

namespace {

constexpr const char* k_no_recorder =
    "the hooks recorded no call stacks: they do so on Linux on x86_64 alone; `allocgate stat` and `run` count on every "
    "machine";

std::string name_of(const RecordProcess& process) {
  return fmt::format("{} (process {})", process.executable, process.pid);
}

StackCounters counters_of(const RecordCounters& counters) {
  StackCounters converted;
  converted.allocations = static_cast<std::uint64_t>(counters.allocations);
  converted.bytes = static_cast<std::uint64_t>(counters.allocated_bytes);
  for (std::size_t slot = 0; slot < converted.size_classes.size(); ++slot) {
    converted.size_classes[slot] = static_cast<std::uint64_t>(counters.size_classes[slot]);
  }
  return converted;
}

bool same(const StackCounters& counted, const StackCounters& recorded) {
  return counted.allocations == recorded.allocations && counted.bytes == recorded.bytes &&
         counted.size_classes == recorded.size_classes;
}

const StackSection* section_of(const std::vector<StackSection>& sections, std::size_t entry) {
  const auto found = std::find_if(sections.begin(), sections.end(),
                                  [entry](const StackSection& section) { return section.process == entry; });
  return found == sections.end() ? nullptr : &*found;
}

std::optional<Failure> failure_of_damage(const std::vector<StackSection>& sections) {
  for (const StackSection& section : sections) {
    if (section.damage) {
      return Failure{WorkloadStatus::blind, *section.damage};
    }
  }
  return std::nullopt;
}

void add_truncation(const StackSection& section, const std::string& who, std::vector<std::string>& notes) {
  if (section.truncated) {
    notes.push_back(fmt::format(
        "truncated: the stacks of {} did not fit in memory, so {} of its allocations are under [not listed]; more room "
        "may be in another folder ({}), or above a limit of the process's memory (ulimit -v, -d)",
        who, grouped_unsigned(section.unattributed.allocations), k_record_folder_variable));
  } else if (section.sample_bytes != 0) {
    notes.push_back(
        fmt::format("sampled: of {} the stack of one allocation in {} bytes was taken, and {} allocations "
                    "are under [not listed]",
                    who, grouped_unsigned(section.sample_bytes), grouped_unsigned(section.unattributed.allocations)));
  } else if (section.unattributed.allocations != 0) {
    notes.push_back(
        fmt::format("{} allocations of {} were made where no stack can be taken, and are under [not listed]",
                    grouped_unsigned(section.unattributed.allocations), who));
  }
}

Failure contradiction(const std::string& who, const StackCounters& counted, const StackCounters& recorded) {
  return {
      WorkloadStatus::blind,
      fmt::format("the call stacks of {} add up to {} allocations and {} bytes, and its counters to {} and {}: this "
                  "is a fault of allocgate, and a recording that is not exact is worth nothing; please report it",
                  who, grouped_unsigned(recorded.allocations), grouped_unsigned(recorded.bytes),
                  grouped_unsigned(counted.allocations), grouped_unsigned(counted.bytes))};
}

/// Of the blocks that were followed: what was released is the counters' too.
std::optional<Failure> failure_of_lives(const std::string& who, Count deallocations, Count deallocated_bytes,
                                        const StackSection& section) {
  const StackLife life = section.total_life();
  if (life.deallocations == static_cast<std::uint64_t>(deallocations) &&
      life.deallocated_bytes == static_cast<std::uint64_t>(deallocated_bytes)) {
    return std::nullopt;
  }
  return Failure{WorkloadStatus::blind,
                 fmt::format("the call stacks of {} add up to {} deallocations of {} bytes, and its counters to {} of "
                             "{}: this is a fault of allocgate; record without --live, and please report it",
                             who, grouped_unsigned(life.deallocations), grouped_unsigned(life.deallocated_bytes),
                             grouped(deallocations), grouped(deallocated_bytes))};
}

/// How far the two may be apart in a process that was not seen to its end: one event a thread under way.
bool is_within_threads(const StackCounters& counted, const StackCounters& recorded, std::uint32_t threads) {
  const std::uint64_t least = std::min(counted.allocations, recorded.allocations);
  const std::uint64_t most = std::max(counted.allocations, recorded.allocations);
  return most - least <= std::max(threads, 1U);
}

void add_missing(ProvenStacks& proven, const StackCounters& counted, const StackCounters& recorded) {
  proven.missing_allocations += static_cast<Count>(counted.allocations - recorded.allocations);
  proven.missing_bytes += static_cast<Count>(counted.bytes - recorded.bytes);
}

void add_process(ProvenStacks& proven, const RecordProcess& process, const StackSection* section) {
  const StackCounters counted = counters_of(process.counters);
  const StackCounters recorded = section == nullptr ? StackCounters() : section->total();
  proven.allocations += process.counters.allocations;
  proven.bytes += process.counters.allocated_bytes;
  if (section != nullptr) {
    add_truncation(*section, name_of(process), proven.notes);
  }
  if (section != nullptr && section->unattributed_life && process.exited && !proven.failure) {
    proven.failure = failure_of_lives(name_of(process), process.counters.deallocations,
                                      process.counters.deallocated_bytes, *section);
  }
  if (same(counted, recorded)) {
    return;
  }
  add_missing(proven, counted, recorded);
  if (process.stacks_refused) {
    proven.notes.push_back(
        fmt::format("the call stacks of {} could not be recorded (no memory, or no room in the folder of the record; "
                    "see {}): its {} allocations are under [not listed]",
                    name_of(process), k_record_folder_variable, grouped_unsigned(counted.allocations)));
  } else if (!process.exited && is_within_threads(counted, recorded, process.threads)) {
    proven.notes.push_back(fmt::format(
        "{} was ended, or still ran, in the middle of an allocation, which is under [not listed]", name_of(process)));
  } else if (!proven.failure) {
    proven.failure = contradiction(name_of(process), counted, recorded);
  }
}

/// What the counters say of the windows whose stacks were recorded.
struct RecordedWindows {
  const RecordProcess* process = nullptr;
  StackCounters counted;
  Count deallocations = 0;
  Count deallocated_bytes = 0;
  std::uint64_t iterations = 0;
  std::uint32_t threads = 0;
};

RecordedWindows recorded_windows(const RecordContents& contents) {
  RecordedWindows windows;
  for (const RecordWindow& window : contents.windows) {
    if (window.has_stacks) {
      windows.process = &contents.processes[window.process];
      windows.iterations += window.iterations;
      windows.threads = std::max({windows.threads, window.threads, windows.process->threads});
      windows.counted.add(counters_of(window.counters));
      windows.deallocations += window.counters.deallocations;
      windows.deallocated_bytes += window.counters.deallocated_bytes;
    }
  }
  return windows;
}

std::optional<Failure> failure_of_windows(const RecordedWindows& windows) {
  if (windows.process == nullptr) {
    return Failure{WorkloadStatus::blind, k_no_recorder};
  }
  if (windows.process->stacks_refused) {
    return Failure{
        WorkloadStatus::blind,
        fmt::format("the call stacks of {} could not be recorded (no memory, or no room in the folder of the "
                    "record; see {})",
                    name_of(*windows.process), k_record_folder_variable)};
  }
  return std::nullopt;
}

}  // namespace

ProvenStacks prove_stacks(const RecordContents& contents, std::vector<StackSection> sections) {
  ProvenStacks proven;
  proven.failure = failure_of_damage(sections);
  if (proven.failure) {
    return proven;
  }
  for (const RecordProcess& process : contents.processes) {
    add_process(proven, process, section_of(sections, process.entry));
  }
  if (sections.empty() && proven.allocations != 0 && proven.failure) {
    proven.failure->error = k_no_recorder;
  }
  proven.sections = std::move(sections);
  return proven;
}

ProvenStacks prove_window_stacks(const RecordContents& contents, std::vector<StackSection> sections,
                                 std::uint64_t& iterations) {
  ProvenStacks proven;
  const RecordedWindows windows = recorded_windows(contents);
  proven.failure = failure_of_damage(sections);
  proven.failure = proven.failure ? proven.failure : failure_of_windows(windows);
  if (proven.failure) {
    return proven;
  }
  iterations = windows.iterations;
  const std::string who = name_of(*windows.process);
  const StackSection* section = section_of(sections, windows.process->entry);
  const StackCounters recorded = section == nullptr ? StackCounters() : section->total();
  proven.allocations = static_cast<Count>(windows.counted.allocations);
  proven.bytes = static_cast<Count>(windows.counted.bytes);
  if (!same(windows.counted, recorded)) {
    // A thread that allocates at the very moment a window begins is in one of the two and not in the other.
    if (windows.threads <= 1 || !is_within_threads(windows.counted, recorded, windows.threads)) {
      proven.failure = contradiction(who, windows.counted, recorded);
      return proven;
    }
    add_missing(proven, windows.counted, recorded);
    proven.notes.push_back(
        fmt::format("threads allocated while the window began or ended: {} of its allocations are "
                    "under [not listed]",
                    grouped(proven.missing_allocations)));
  }
  if (section != nullptr && section->unattributed_life && windows.threads <= 1) {
    proven.failure = failure_of_lives(who, windows.deallocations, windows.deallocated_bytes, *section);
    if (proven.failure) {
      return proven;
    }
  }
  const std::size_t others = sections.size() - (section == nullptr ? 0 : 1);
  if (others != 0) {
    proven.notes.push_back(
        fmt::format("{} of the processes that it started {} not in the recording: a window is one process's", others,
                    others == 1 ? "is" : "are"));
  }
  if (section != nullptr) {
    add_truncation(*section, who, proven.notes);
    proven.sections.push_back(*section);
  }
  return proven;
}

}  // namespace allocgate

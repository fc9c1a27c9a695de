// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/record_contents.hpp"

#include "process/printable.hpp"
#include "process/raw_bytes.hpp"

#include <allocgate/hook_record.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

namespace allocgate {
namespace {

static_assert(k_size_classes == ALLOCGATE_SIZE_CLASS_SLOTS, "the result shows the slots of the record");

constexpr std::uint64_t k_page_bytes = 4096;
constexpr std::uint64_t k_alignment = 128;

constexpr std::uint64_t aligned(std::uint64_t offset) {
  return (offset + k_alignment - 1) / k_alignment * k_alignment;
}

/// Where the arrays lie: both the writer of the header and the reader ask here.
struct Offsets {
  std::uint64_t blocks = 0;
  std::uint64_t processes = 0;
  std::uint64_t windows = 0;
  std::uint64_t executions = 0;
  std::uint64_t end = 0;
};

Offsets offsets_of(const RecordLayout& layout) {
  Offsets offsets;
  offsets.blocks = k_page_bytes;
  offsets.processes = aligned(offsets.blocks + std::uint64_t{layout.blocks} * sizeof(allocgate_block));
  offsets.windows = aligned(offsets.processes + std::uint64_t{layout.processes} * sizeof(allocgate_process_entry));
  offsets.executions = aligned(offsets.windows + std::uint64_t{layout.windows} * sizeof(allocgate_window_entry));
  offsets.end = offsets.executions + std::uint64_t{layout.executions} * sizeof(allocgate_execution_entry);
  offsets.end = (offsets.end + k_page_bytes - 1) / k_page_bytes * k_page_bytes;
  return offsets;
}

/// Counters as they are in the record, or too large for any count that can have happened.
class Sum {
public:
  void add(Count& to, std::uint64_t value) {
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Count>::max())) {
      m_overflow = true;
    } else if (__builtin_add_overflow(to, static_cast<Count>(value), &to)) {
      m_overflow = true;
    }
  }
  void add_classes(RecordCounters& to, const std::uint64_t (&classes)[ALLOCGATE_SIZE_CLASS_SLOTS]) {
    for (std::size_t slot = 0; slot < k_size_classes; ++slot) {
      to.size_classes[slot] += classes[slot];
    }
  }
  [[nodiscard]] bool overflow() const { return m_overflow; }

private:
  bool m_overflow = false;
};

class Reader {
public:
  Reader(std::span<const std::byte> bytes, const RecordLayout& layout)
      : m_bytes(bytes), m_layout(layout), m_offsets(offsets_of(layout)) {}

  RecordContents read() {
    if (m_bytes.size() < m_offsets.end) {
      return damaged("it is cut short");
    }
    const auto header = at<allocgate_record_header>(0);
    if (header.magic != ALLOCGATE_RECORD_MAGIC || header.version != ALLOCGATE_RECORD_VERSION ||
        header.size != m_offsets.end || header.block_capacity != m_layout.blocks ||
        header.process_capacity != m_layout.processes || header.window_capacity != m_layout.windows ||
        header.blocks_offset != m_offsets.blocks || header.processes_offset != m_offsets.processes ||
        header.windows_offset != m_offsets.windows || header.executions_offset != m_offsets.executions ||
        header.execution_capacity != m_layout.executions ||
        (header.level != ALLOCGATE_LEVEL_COUNTS && header.level != ALLOCGATE_LEVEL_USABLE)) {
      return damaged("its header was overwritten");
    }
    m_contents.usable_sizes = header.level >= ALLOCGATE_LEVEL_USABLE;
    m_contents.follow_children = header.follow_children != 0;
    m_contents.images_not_counted = header.images_not_counted;
    m_contents.exhausted = header.next_process > m_layout.processes || header.next_block > m_layout.blocks;
    m_contents.executions_exhausted = header.next_execution > m_layout.executions;
    read_processes(std::min(header.next_process, m_layout.processes));
    read_executions(std::min(header.next_execution, m_layout.executions));
    read_blocks(std::min(header.next_block, m_layout.blocks));
    read_windows(std::min(header.next_window, m_layout.windows));
    if (m_sum.overflow() || m_contradiction) {
      return damaged("its counters contradict each other");
    }
    finish_processes();
    return std::move(m_contents);
  }

private:
  template <typename T>
  [[nodiscard]] T at(std::uint64_t offset) const {
    return value_at<T>(m_bytes, offset);
  }

  static RecordContents damaged(std::string_view how) {
    RecordContents contents;
    contents.damage = fmt::format("the hook record is damaged: {}; did the program write over mapped memory?", how);
    return contents;
  }

  void read_processes(std::uint32_t claimed) {
    m_index_of.assign(claimed, k_not_there);
    for (std::uint32_t index = 0; index < claimed; ++index) {
      const auto entry = at<allocgate_process_entry>(m_offsets.processes + index * sizeof(allocgate_process_entry));
      if (entry.state == ALLOCGATE_PROCESS_UNCLAIMED) {
        continue;  // claimed, but killed before it was written
      }
      m_index_of[index] = m_contents.processes.size();
      m_contents.processes.push_back(to_process(entry));
      m_contents.processes.back().entry = index;
      m_contradiction |= entry.state > ALLOCGATE_PROCESS_EXITED;
    }
  }

  static std::string path_text(const char (&path)[ALLOCGATE_PATH_CAPACITY]) {
    return printable({path, ::strnlen(path, sizeof path)});
  }

  void read_executions(std::uint32_t claimed) {
    std::vector<allocgate_execution_entry> announced;
    for (std::uint32_t index = 0; index < claimed; ++index) {
      const auto entry =
          at<allocgate_execution_entry>(m_offsets.executions + index * sizeof(allocgate_execution_entry));
      m_contradiction |= entry.state > ALLOCGATE_EXECUTION_FAILED;
      if (entry.state == ALLOCGATE_EXECUTION_ANNOUNCED) {
        announced.push_back(entry);
      }
    }
    std::vector<RecordProcess> images = images_of_announcements(announced);
    for (const allocgate_execution_entry& entry : announced) {
      if (entry.image_is_ours == 0 && !take_image_of(entry, images)) {
        m_contents.blind_programs.push_back({entry.pid, entry.parent_pid, program_of(entry)});
      }
    }
  }

  /// The path, also where it was given as the one of whoever started it.
  [[nodiscard]] std::string program_of(const allocgate_execution_entry& entry) const {
    std::string program = path_text(entry.program);
    if (program != "/proc/self/exe" && program != "/proc/thread-self/exe") {
      return program;
    }
    const auto& images = m_contents.processes;
    for (const std::int32_t pid : {entry.pid, entry.parent_pid}) {
      const auto image = std::find_if(images.rbegin(), images.rend(),
                                      [&](const RecordProcess& candidate) { return candidate.pid == pid; });
      if (image != images.rend()) {
        return image->executable;
      }
    }
    return program;
  }

  /// The images that began with a program, without the command's own, which the runner started, and without those that
  /// found their announcement. What is left was too quick for posix_spawn to have told its process id.
  [[nodiscard]] std::vector<RecordProcess> images_of_announcements(
      const std::vector<allocgate_execution_entry>& announced) const {
    std::vector<RecordProcess> images;
    for (std::size_t index = 1; index < m_contents.processes.size(); ++index) {
      if (!m_contents.processes[index].forked) {
        images.push_back(m_contents.processes[index]);
      }
    }
    for (const allocgate_execution_entry& entry : announced) {
      if (entry.image_is_ours != 0) {
        take_image_of(entry, images);
      }
    }
    return images;
  }

  /// Takes the first image that can be the one of `entry` out of `images`; false when there is none.
  static bool take_image_of(const allocgate_execution_entry& entry, std::vector<RecordProcess>& images) {
    const auto image = std::find_if(images.begin(), images.end(), [&](const RecordProcess& candidate) {
      return entry.pid != 0 ? candidate.pid == entry.pid : candidate.parent_pid == entry.parent_pid;
    });
    if (image == images.end()) {
      return false;
    }
    images.erase(image);
    return true;
  }

  static RecordProcess to_process(const allocgate_process_entry& entry) {
    const auto has = [&](allocgate_process_flag flag) { return (entry.flags & flag) != 0; };
    RecordProcess process;
    process.pid = entry.pid;
    process.parent_pid = entry.parent_pid;
    process.executable = path_text(entry.executable);
    process.uncounted_object = path_text(entry.uncounted_object);
    process.exited = entry.state == ALLOCGATE_PROCESS_EXITED;
    if (process.exited && entry.exit_known == 1) {
      process.exit_code = entry.exit_code;
    }
    process.forked = has(ALLOCGATE_PROCESS_FORKED);
    process.several_threads = has(ALLOCGATE_PROCESS_THREADS);
    process.events_lost = has(ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED);
    process.windows_lost = has(ALLOCGATE_PROCESS_WINDOWS_EXHAUSTED);
    process.shadowed = has(ALLOCGATE_PROCESS_SHADOWED);
    process.stacks_refused = has(ALLOCGATE_PROCESS_STACKS_REFUSED);
    process.own_new = has(ALLOCGATE_PROCESS_OWN_NEW);
    process.other_namespace = has(ALLOCGATE_PROCESS_OTHER_NAMESPACE);
    process.threads = entry.threads;
    process.counters.peak_live_bytes = entry.peak_live_bytes;
    return process;
  }

  /// By a walk over all claimed blocks, not by the lists: a list that was written over might not end.
  void read_blocks(std::uint32_t claimed) {
    for (std::uint32_t index = 0; index < claimed; ++index) {
      const auto block = at<allocgate_block>(m_offsets.blocks + index * sizeof(allocgate_block));
      if (block.process == 0) {
        continue;
      }
      const std::size_t process = process_at(block.process - 1);
      if (process == k_not_there) {
        continue;
      }
      RecordCounters& counters = m_contents.processes[process].counters;
      m_sum.add(counters.allocated_bytes, block.allocated_bytes);
      m_sum.add(counters.deallocations, block.deallocations);
      m_sum.add(counters.reallocations, block.reallocations);
      m_sum.add(counters.failed_allocations, block.failed_allocations);
      m_sum.add(counters.allocated_usable_bytes, block.allocated_usable_bytes);
      m_sum.add(counters.deallocated_bytes, block.deallocated_bytes);
      m_sum.add_classes(counters, block.size_classes);
      for (const std::uint64_t requests : block.size_classes) {
        m_sum.add(counters.allocations, requests);
      }
    }
  }

  void finish_processes() {
    for (RecordProcess& process : m_contents.processes) {
      RecordCounters& counters = process.counters;
      counters.live_bytes = counters.allocated_usable_bytes - counters.deallocated_bytes;
      counters.peak_live_bytes = std::max({Count{0}, counters.peak_live_bytes, counters.live_bytes});
    }
  }

  void read_windows(std::uint32_t claimed) {
    for (std::uint32_t index = 0; index < claimed; ++index) {
      const auto entry = at<allocgate_window_entry>(m_offsets.windows + index * sizeof(allocgate_window_entry));
      if (entry.state == 0) {
        continue;  // killed while it was published
      }
      const std::size_t process = process_at(entry.process);
      if (entry.state != 1 || process == k_not_there) {
        m_contradiction = true;
        continue;
      }
      m_contents.windows.push_back(to_window(entry, process));
    }
  }

  RecordWindow to_window(const allocgate_window_entry& entry, std::size_t process) {
    RecordWindow window;
    window.process = process;
    window.iterations = entry.iterations;
    window.duration_ns = entry.duration_ns;
    window.threads = entry.threads;
    window.peak_is_exact = entry.peak_is_exact == 1;
    if (entry.open_fds >= 0) {
      window.open_fds = entry.open_fds;
    }
    window.failed = (entry.flags & ALLOCGATE_WINDOW_ERROR) != 0;
    window.not_drained = (entry.flags & ALLOCGATE_WINDOW_NOT_DRAINED) != 0;
    window.has_stacks = (entry.flags & ALLOCGATE_WINDOW_STACKS) != 0;
    RecordCounters& counters = window.counters;
    m_sum.add(counters.allocations, entry.allocations);
    m_sum.add(counters.allocated_bytes, entry.allocated_bytes);
    m_sum.add(counters.deallocations, entry.deallocations);
    m_sum.add(counters.reallocations, entry.reallocations);
    m_sum.add(counters.failed_allocations, entry.failed_allocations);
    m_sum.add(counters.allocated_usable_bytes, entry.allocated_usable_bytes);
    m_sum.add(counters.deallocated_bytes, entry.deallocated_bytes);
    m_sum.add_classes(counters, entry.size_classes);
    counters.live_bytes = entry.live_bytes;
    counters.peak_live_bytes = entry.peak_live_bytes;
    return window;
  }

  [[nodiscard]] std::size_t process_at(std::uint32_t index) const {
    return index < m_index_of.size() ? m_index_of[index] : k_not_there;
  }

  static constexpr std::size_t k_not_there = std::numeric_limits<std::size_t>::max();

  std::span<const std::byte> m_bytes;
  RecordLayout m_layout;
  Offsets m_offsets;
  RecordContents m_contents;
  std::vector<std::size_t> m_index_of;  // of a process entry in the contents
  Sum m_sum;
  bool m_contradiction = false;
};

}  // namespace

std::uint64_t record_size(const RecordLayout& layout) {
  return offsets_of(layout).end;
}

std::vector<std::byte> record_header(const RecordLayout& layout, bool usable_sizes, bool follow_children) {
  const Offsets offsets = offsets_of(layout);
  allocgate_record_header header{};
  header.magic = ALLOCGATE_RECORD_MAGIC;
  header.version = ALLOCGATE_RECORD_VERSION;
  header.level = usable_sizes ? ALLOCGATE_LEVEL_USABLE : ALLOCGATE_LEVEL_COUNTS;
  header.size = offsets.end;
  header.block_capacity = layout.blocks;
  header.process_capacity = layout.processes;
  header.window_capacity = layout.windows;
  header.follow_children = follow_children ? 1 : 0;
  header.blocks_offset = offsets.blocks;
  header.processes_offset = offsets.processes;
  header.windows_offset = offsets.windows;
  header.executions_offset = offsets.executions;
  header.execution_capacity = layout.executions;
  std::vector<std::byte> bytes(sizeof header);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

RecordContents parse_record(std::span<const std::byte> bytes, const RecordLayout& layout) {
  return Reader(bytes, layout).read();
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "summary.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "readings.hpp"
#include "record.hpp"
#include "system_calls.hpp"
#include "text_writer.hpp"

namespace allocgate::hooks {
namespace {

struct FileIdentity {
  bool is_open = false;
  uint64_t device = 0;
  uint64_t inode = 0;

  bool operator==(const FileIdentity&) const = default;
};

FileIdentity g_standard_error;
int32_t g_prepared_by = 0;
char g_output_path[4096]; /* empty: standard error */

FileIdentity identity_of_standard_error() {
  struct stat status;
  if (system_call(SYS_fstat, STDERR_FILENO, as_word(&status)) != 0) {
    return {};
  }
  return {true, status.st_dev, status.st_ino};
}

/* Fills a fixed buffer with a path; one that does not fit is no path at all. */
class PathBuilder {
public:
  void append(char character) {
    if (m_length + 1 < sizeof(g_output_path)) {
      g_output_path[m_length++] = character;
    } else {
      m_fits = false;
    }
  }
  void append(const char* text) {
    for (; *text != '\0'; ++text) {
      append(*text);
    }
  }
  void append_number(uint64_t value) {
    if (value >= 10) {
      append_number(value / 10);
    }
    append(static_cast<char>('0' + value % 10));
  }
  void append_working_folder() {
    const long length = system_call(SYS_getcwd, as_word(g_output_path), sizeof(g_output_path));
    if (length > 1) {
      m_length = static_cast<size_t>(length) - 1;
      append('/');
    }
  }
  void finish() { g_output_path[m_fits ? m_length : 0] = '\0'; }

private:
  size_t m_length = 0;
  bool m_fits = true;
};

void prepare_output_path(const char* pattern, int32_t pid) {
  PathBuilder path;
  if (pattern[0] != '/') {
    path.append_working_folder();
  }
  for (; *pattern != '\0'; ++pattern) {
    if (pattern[0] == '%' && pattern[1] == 'p') {
      path.append_number(static_cast<uint64_t>(pid));
      ++pattern;
    } else if (pattern[0] == '%' && pattern[1] == '%') {
      path.append('%');
      ++pattern;
    } else {
      path.append(*pattern);
    }
  }
  path.finish();
}

struct Totals {
  allocgate_counters counters = {};
  uint64_t processes = 0;
  uint32_t flags = 0;
  const char* uncounted_object = nullptr;
};

Totals add_up() {
  Totals totals;
  const allocgate_record_header& header = *g_record.header;
  for (uint32_t i = 0; i < header.process_capacity; ++i) {
    const allocgate_process_entry& process = g_record.processes[i];
    if (__atomic_load_n(&process.state, __ATOMIC_ACQUIRE) != ALLOCGATE_PROCESS_UNCLAIMED) {
      add_process(totals.counters, process);
      totals.processes += 1;
      totals.flags |= process.flags;
      constexpr uint32_t k_about_object = ALLOCGATE_PROCESS_SHADOWED | ALLOCGATE_PROCESS_OTHER_NAMESPACE;
      if (totals.uncounted_object == nullptr && (process.flags & k_about_object) != 0) {
        totals.uncounted_object = process.uncounted_object;
      }
    }
  }
  return totals;
}

const char* incompleteness(const Totals& totals) {
  if ((totals.flags & ALLOCGATE_PROCESS_SHADOWED) != 0) {
    return "the program or a library brings its own malloc or is bound to another, whose calls are not counted";
  }
  if ((totals.flags & ALLOCGATE_PROCESS_OTHER_NAMESPACE) != 0) {
    return "a library was loaded with a libc of its own, whose calls are not counted";
  }
  if ((totals.flags & ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED) != 0 || g_record.header->images_not_counted != 0) {
    return "more threads or processes than fit; run under `allocgate stat` for a larger record";
  }
  return nullptr;
}

void write_text(TextWriter& out, const Totals& totals) {
  const allocgate_counters& counters = totals.counters;
  out << "allocgate: " << counters.allocations << " allocations (" << counters.reallocations << " by realloc, "
      << counters.failed_allocations << " failed) of " << counters.allocated_bytes << " bytes, "
      << counters.deallocations << " deallocations";
  if (counts_usable_sizes()) {
    out << ", peak " << counters.peak_live_bytes << " live bytes";
  }
  out << " in " << totals.processes << (totals.processes == 1 ? " process\n" : " processes\n");
  if (const char* reason = incompleteness(totals); reason != nullptr) {
    out << "allocgate: not everything was counted: " << reason << '\n';
    if (totals.uncounted_object != nullptr) {
      out << "allocgate: this is about " << totals.uncounted_object << '\n';
    }
  }
}

void write_size_classes(TextWriter& out, const allocgate_counters& counters) {
  // Slot 63 holds the requests of 0 bytes, the smallest; slot i the sizes up to 2^i.
  bool is_first = true;
  for (unsigned i = 0; i < ALLOCGATE_SIZE_CLASS_SLOTS; ++i) {
    const unsigned slot = (i + ALLOCGATE_SIZE_CLASS_SLOTS - 1) % ALLOCGATE_SIZE_CLASS_SLOTS;
    if (counters.size_classes[slot] == 0) {
      continue;
    }
    const bool is_zero = slot == ALLOCGATE_SIZE_CLASS_SLOTS - 1;
    const uint64_t from = is_zero ? 0 : slot == 0 ? 1 : (uint64_t{1} << (slot - 1)) + 1;
    const uint64_t to = is_zero ? 0 : uint64_t{1} << slot;
    out << (is_first ? "" : ", ") << "{\"from\": " << from << ", \"to\": " << to
        << ", \"count\": " << counters.size_classes[slot] << '}';
    is_first = false;
  }
}

void write_json(TextWriter& out, const Totals& totals) {
  const allocgate_counters& counters = totals.counters;
  out << "{\"schema\": \"allocgate.summary/1\",\n \"pid\": " << static_cast<uint64_t>(g_prepared_by)
      << ", \"processes\": " << totals.processes << ", \"executable\": ";
  out.quoted(g_record.processes[0].executable);
  out << ",\n \"not_counted\": ";
  if (const char* reason = incompleteness(totals); reason != nullptr) {
    out.quoted(reason);
  } else {
    out << "null";
  }
  out << ",\n \"measures\": {\"allocations\": " << counters.allocations
      << ", \"deallocations\": " << counters.deallocations << ", \"reallocations\": " << counters.reallocations
      << ", \"failed_allocations\": " << counters.failed_allocations
      << ", \"allocated_bytes\": " << counters.allocated_bytes
      << ", \"live_allocations\": " << static_cast<int64_t>(counters.allocations - counters.deallocations);
  if (counts_usable_sizes()) {
    out << ", \"allocated_usable_bytes\": " << counters.allocated_usable_bytes
        << ", \"deallocated_bytes\": " << counters.deallocated_bytes << ", \"live_bytes\": " << counters.live_bytes
        << ", \"slack_bytes\": " << static_cast<int64_t>(counters.allocated_usable_bytes - counters.allocated_bytes)
        << ", \"peak_live_bytes\": " << counters.peak_live_bytes;
  }
  out << "},\n \"size_classes\": [";
  write_size_classes(out, counters);
  out << "]}\n";
}

}  // namespace

void prepare_summary(int32_t pid) {
  g_prepared_by = pid;
  g_standard_error = identity_of_standard_error();
  if (const char* pattern = environment_value(ALLOCGATE_ENV_OUTPUT); pattern != nullptr && pattern[0] != '\0') {
    prepare_output_path(pattern, pid);
  }
}

void write_summary(int32_t pid) {
  if (g_prepared_by == 0 || g_prepared_by != pid) {
    return;
  }
  const Totals totals = add_up();
  if (g_output_path[0] != '\0') {
    const long descriptor = open_file(g_output_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor >= 0) {
      TextWriter out(descriptor);
      write_json(out, totals);
      out.flush();
      close_file(descriptor);
      return;
    }
  }
  if (g_standard_error.is_open && identity_of_standard_error() == g_standard_error) {
    TextWriter out(STDERR_FILENO);
    write_text(out, totals);
    if (g_output_path[0] != '\0') {
      out << "allocgate: " << g_output_path << " cannot be written; this is instead of it\n";
    }
  }
}

}  // namespace allocgate::hooks

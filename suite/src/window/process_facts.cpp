// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "window/process_facts.hpp"

#include <cstring>

#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace allocgate {

namespace {

#ifdef __linux__
// The kernel's struct linux_dirent64: readdir would allocate its buffer.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  std::uint8_t type;
  char name[1];  // as long as it is, and a zero
};

// The number that `name` is; absent for "." and "..".
std::optional<unsigned> number_of(const char* name) {
  unsigned number = 0;
  for (const char* digit = name; *digit != '\0'; ++digit) {
    if (*digit < '0' || *digit > '9') {
      return std::nullopt;
    }
    number = number * 10 + static_cast<unsigned>(*digit - '0');
  }
  return number;
}

// Calls `seen(number, descriptor of the folder)` for each entry of `folder` that is a number; false when it cannot be
// read to its end.
template <typename Seen>
bool for_each_number_in(const char* folder, Seen seen) {
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  alignas(DirectoryEntry) char buffer[4096];
  long length = 0;
  while ((length = syscall(SYS_getdents64, descriptor, buffer, sizeof(buffer))) > 0) {
    for (long at = 0; at < length;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      at += entry->length;
      if (const std::optional<unsigned> number = number_of(entry->name)) {
        seen(*number, static_cast<unsigned>(descriptor));
      }
    }
  }
  close(descriptor);
  return length == 0;
}

// Whether a thread of this process waits for something other than a processor; false when it cannot be read.
bool is_asleep(unsigned thread) {
  constexpr char k_folder[] = "/proc/self/task/";
  constexpr char k_file[] = "/stat";
  constexpr unsigned k_most_digits = 10;
  char path[sizeof(k_folder) + k_most_digits + sizeof(k_file)] = {};
  std::memcpy(path, k_folder, sizeof(k_folder) - 1);
  char* end = path + sizeof(k_folder) - 1;
  unsigned divisor = 1;
  while (thread / divisor >= 10) {
    divisor *= 10;
  }
  for (; divisor > 0; divisor /= 10) {
    *end++ = static_cast<char>('0' + thread / divisor % 10);
  }
  std::memcpy(end, k_file, sizeof(k_file));

  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return false;
  }
  // "TID (NAME) STATE ...", where the name may have parentheses of its own and at most 15 characters.
  char text[64] = {};
  const ssize_t length = read(file, text, sizeof(text) - 1);
  close(file);
  const char* name_end = length > 0 ? std::strrchr(text, ')') : nullptr;
  return name_end != nullptr && name_end[1] == ' ' && (name_end[2] == 'S' || name_end[2] == 'I');
}
#endif

}  // namespace

void OpenDescriptors::read() {
  m_known = false;
#ifdef __linux__
  std::memset(m_words, 0, sizeof(m_words));
  bool fits = true;
  const bool whole = for_each_number_in("/proc/self/fd", [&](unsigned descriptor, unsigned folder) {
    if (descriptor == folder) {
      return;
    }
    if (descriptor >= k_capacity) {
      fits = false;
      return;
    }
    m_words[descriptor / k_bits] |= std::uint64_t{1} << (descriptor % k_bits);
  });
  m_known = whole && fits;
#endif
}

std::optional<std::int32_t> OpenDescriptors::count_missing_from(const OpenDescriptors& before) const {
  if (!m_known || !before.m_known) {
    return std::nullopt;
  }
  std::int32_t count = 0;
  for (unsigned word = 0; word < k_capacity / k_bits; ++word) {
    // One round a bit: std::popcount is a call into the compiler's library, which the forwarder does not link.
    for (std::uint64_t missing = m_words[word] & ~before.m_words[word]; missing != 0; missing &= missing - 1) {
      ++count;
    }
  }
  return count;
}

OtherThreads look_at_other_threads() {
#ifdef __linux__
  const auto self = static_cast<unsigned>(syscall(SYS_gettid));
  auto found = OtherThreads::none;
  const bool whole = for_each_number_in("/proc/self/task", [&](unsigned thread, unsigned /*folder*/) {
    if (thread != self && found != OtherThreads::running) {
      found = is_asleep(thread) ? OtherThreads::asleep : OtherThreads::running;
    }
  });
  return whole ? found : OtherThreads::running;
#else
  return OtherThreads::running;
#endif
}

std::uint64_t monotonic_ns() {
  constexpr std::uint64_t k_ns_per_second = 1'000'000'000;
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * k_ns_per_second + static_cast<std::uint64_t>(now.tv_nsec);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/stack_section.hpp"

#include <sys/resource.h>

#include "stacks/memory_share.hpp"
#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint64_t k_unit_bytes = uint64_t{1} << k_unit_shift;
constexpr uint64_t k_most_segment_bytes = uint64_t{16} << 20;
constexpr uint32_t k_pages_a_unit = k_unit_bytes / ALLOCGATE_STACKS_PAGE;
constexpr int k_most_retries = 1000;
constexpr int k_most_waits = 100000;
constexpr size_t k_path_capacity = 4096;

uint32_t g_unit_count = 0;  // mapped
uint32_t g_page_count = 0;  // mapped, written last
uint32_t g_next_page = 0;   // claimed by atomic add
bool g_is_growing = false;
bool g_is_refused = false;
allocgate_stacks_header* g_header = nullptr;
char g_path[k_path_capacity];

/* The text and the number at the end of `path`; false when there is no room. */
bool append(char* path, size_t& length, const char* text) {
  for (; *text != '\0'; ++text) {
    if (length + 1 >= k_path_capacity) {
      return false;
    }
    path[length++] = *text;
  }
  path[length] = '\0';
  return true;
}

bool append(char* path, size_t& length, uint32_t number) {
  char digits[11];
  size_t at = sizeof(digits) - 1;
  digits[at] = '\0';
  do {
    digits[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return append(path, length, digits + at);
}

/* Beyond this limit the system would send SIGXFSZ in place of an error. */
bool may_have_size(uint64_t bytes) {
  struct {
    uint64_t current;
    uint64_t greatest;
  } limit;
  return system_call(SYS_prlimit64, 0, RLIMIT_FSIZE, 0, as_word(&limit)) != 0 || bytes <= limit.current;
}

bool write_zeroes(long descriptor, uint64_t offset, uint64_t bytes) {
  static const char zeroes[ALLOCGATE_STACKS_PAGE] = {};
  for (uint64_t done = 0; done < bytes; done += sizeof(zeroes)) {
    const long result =
        system_call(SYS_pwrite64, descriptor, as_word(zeroes), sizeof(zeroes), static_cast<long>(offset + done));
    if (result != static_cast<long>(sizeof(zeroes))) {
      return false;
    }
  }
  return true;
}

/* In small steps: a program's timer must not interrupt the same one again and again. */
bool allocate(long descriptor, uint64_t offset, uint64_t bytes) {
  for (uint64_t done = 0; done < bytes; done += k_unit_bytes) {
    long result = -EINTR;
    for (int i = 0; result == -EINTR && i < k_most_retries; ++i) {
      result = system_call(SYS_fallocate, descriptor, 0, static_cast<long>(offset + done), k_unit_bytes);
    }
    if (result == -EOPNOTSUPP || result == -ENOSYS) {
      if (!write_zeroes(descriptor, offset + done, k_unit_bytes)) {
        return false;
      }
    } else if (result != 0) {
      return false;
    }
  }
  return true;
}

char* map_segment(long descriptor, uint64_t offset, uint64_t bytes) {
  if (!claim_share(bytes)) {
    return nullptr;
  }
  if (!may_have_size(offset + bytes) || !allocate(descriptor, offset, bytes)) {
    return_share(bytes);
    return nullptr;
  }
  const long address = system_call(SYS_mmap, 0, static_cast<long>(bytes), PROT_READ | PROT_WRITE, MAP_SHARED,
                                   descriptor, static_cast<long>(offset));
  if (address < 0 && address > -4096) {
    return_share(bytes);
    return nullptr;
  }
  return reinterpret_cast<char*>(address);
}

bool add_segment(long descriptor, uint64_t bytes) {
  const auto units = static_cast<uint32_t>(bytes >> k_unit_shift);
  if (g_unit_count + units > k_most_units) {
    return false;
  }
  char* segment = map_segment(descriptor, uint64_t{g_unit_count} << k_unit_shift, bytes);
  if (segment == nullptr) {
    return false;
  }
  for (uint32_t i = 0; i < units; ++i) {
    __atomic_store_n(&g_section_units[g_unit_count + i], segment + (uint64_t{i} << k_unit_shift), __ATOMIC_RELEASE);
  }
  g_unit_count += units;
  if (g_header == nullptr) {
    g_header = reinterpret_cast<allocgate_stacks_header*>(segment);
  }
  __atomic_store_n(&g_header->size, uint64_t{g_unit_count} << k_unit_shift, __ATOMIC_RELEASE);
  __atomic_store_n(&g_page_count, g_unit_count * k_pages_a_unit, __ATOMIC_RELEASE);
  return true;
}

/* As much as there is already: a short process needs little. Under a limit the smallest may still fit. */
bool grow() {
  const long descriptor = open_file(g_path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) {
    return false;
  }
  const uint64_t mapped = uint64_t{g_unit_count} << k_unit_shift;
  const uint64_t wanted = mapped < k_most_segment_bytes ? mapped : k_most_segment_bytes;
  const bool is_larger = add_segment(descriptor, wanted) || add_segment(descriptor, k_unit_bytes);
  close_file(descriptor);
  return is_larger;
}

void refuse() {
  __atomic_store_n(&g_is_refused, true, __ATOMIC_RELEASE);
  flag_section(ALLOCGATE_STACKS_TRUNCATED);
}

/* Whether the page is there now. */
bool wait_for_page(uint32_t page, bool may_wait) {
  for (int waits = 0; __atomic_load_n(&g_page_count, __ATOMIC_ACQUIRE) <= page; ++waits) {
    if (__atomic_load_n(&g_is_refused, __ATOMIC_ACQUIRE)) {
      return false;
    }
    if (!__atomic_exchange_n(&g_is_growing, true, __ATOMIC_ACQUIRE)) {
      if (__atomic_load_n(&g_page_count, __ATOMIC_ACQUIRE) <= page && !grow()) {
        refuse();
      }
      __atomic_store_n(&g_is_growing, false, __ATOMIC_RELEASE);
    } else if (!may_wait || waits == k_most_waits) {
      return false;
    } else {
      yield_processor();
    }
  }
  return true;
}

void forget_inherited(bool may_unmap) {
  for (uint32_t unit = 0; may_unmap && unit < g_unit_count; ++unit) {
    system_call(SYS_munmap, as_word(g_section_units[unit]), k_unit_bytes);
    return_share(k_unit_bytes);
    g_section_units[unit] = nullptr;
  }
  g_unit_count = 0;
  g_page_count = 0;
  g_next_page = 0;
  g_is_growing = false;
  g_is_refused = false;
  g_header = nullptr;
}

/* A new file, whose name nobody else has: a process id may come again. */
long make_file(const char* folder, int32_t pid) {
  constexpr uint32_t k_most_names = 10000;
  for (uint32_t serial = 0; serial < k_most_names; ++serial) {
    size_t length = 0;
    if (!append(g_path, length, folder) || !append(g_path, length, "/") ||
        !append(g_path, length, static_cast<uint32_t>(pid)) || !append(g_path, length, "-") ||
        !append(g_path, length, serial) || !append(g_path, length, ".stacks")) {
      return -ENAMETOOLONG;
    }
    const long descriptor = open_file(g_path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (descriptor != -EEXIST) {
      return descriptor;
    }
  }
  return -EEXIST;
}

}  // namespace

char* g_section_units[k_most_units];

bool section_is_open() {
  return g_header != nullptr;
}

bool open_section(const char* folder, const allocgate_stacks_header& identity, bool may_unmap) {
  forget_inherited(may_unmap);
  const long descriptor = make_file(folder, identity.pid);
  if (descriptor < 0) {
    return false;
  }
  const bool is_made = add_segment(descriptor, k_unit_bytes);
  close_file(descriptor);
  if (!is_made) {
    system_call(SYS_unlinkat, AT_FDCWD, as_word(g_path), 0);
    return false;
  }
  g_header->version = ALLOCGATE_STACKS_VERSION;
  g_header->flags = identity.flags;
  g_header->pid = identity.pid;
  g_header->parent_pid = identity.parent_pid;
  g_header->process = identity.process;
  g_header->sample_bytes = identity.sample_bytes;
  g_next_page = 1;
  __atomic_store_n(&g_header->magic, ALLOCGATE_STACKS_MAGIC, __ATOMIC_RELEASE);
  return true;
}

void remove_section() {
  if (g_header != nullptr) {
    forget_inherited(true);
    system_call(SYS_unlinkat, AT_FDCWD, as_word(g_path), 0);
  }
}

SectionPage claim_page(uint32_t kind, bool may_wait) {
  if (g_header == nullptr || __atomic_load_n(&g_is_refused, __ATOMIC_ACQUIRE)) {
    return {};
  }
  const uint32_t page = __atomic_fetch_add(&g_next_page, 1, __ATOMIC_RELAXED);
  if (!wait_for_page(page, may_wait)) {
    return {};
  }
  const uint64_t offset = uint64_t{page} * ALLOCGATE_STACKS_PAGE;
  char* address = g_section_units[offset >> k_unit_shift] + (offset & (k_unit_bytes - 1));
  if (offset % k_unit_bytes == 0) {
    // One question to the kernel in place of one a page; where it knows no such thing they come one by one.
    constexpr long k_populate_to_write = 23;  // MADV_POPULATE_WRITE
    system_call(SYS_madvise, as_word(address), k_unit_bytes, k_populate_to_write);
  }
  __atomic_store_n(&reinterpret_cast<allocgate_stacks_page*>(address)->kind, kind, __ATOMIC_RELEASE);
  return {address, static_cast<uint32_t>(offset >> k_reference_shift)};
}

void count_unattributed(uint32_t size_class, uint64_t allocations, uint64_t bytes) {
  if (g_header != nullptr && allocations != 0) {
    __atomic_fetch_add(&g_header->unattributed_allocations[size_class], allocations, __ATOMIC_RELAXED);
    __atomic_fetch_add(&g_header->unattributed_bytes[size_class], bytes, __ATOMIC_RELAXED);
  }
}

void count_unattributed_bytes(uint64_t bytes) {
  if (g_header != nullptr) {
    __atomic_fetch_add(&g_header->unattributed_bytes[0], bytes, __ATOMIC_RELAXED);
  }
}

void count_unattributed_deallocations(uint64_t deallocations, uint64_t bytes) {
  if (g_header != nullptr) {
    __atomic_fetch_add(&g_header->unattributed_deallocations, deallocations, __ATOMIC_RELAXED);
    __atomic_fetch_add(&g_header->unattributed_deallocated_bytes, bytes, __ATOMIC_RELAXED);
  }
}

void count_unattributed_usable_bytes(uint64_t bytes) {
  if (g_header != nullptr && bytes != 0) {
    __atomic_fetch_add(&g_header->unattributed_usable_bytes, bytes, __ATOMIC_RELAXED);
  }
}

void flag_section(uint32_t flags) {
  if (g_header != nullptr && (__atomic_load_n(&g_header->flags, __ATOMIC_RELAXED) & flags) != flags) {
    __atomic_fetch_or(&g_header->flags, flags, __ATOMIC_RELAXED);
  }
}

}  // namespace allocgate::hooks

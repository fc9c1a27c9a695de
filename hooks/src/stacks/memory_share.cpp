// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/memory_share.hpp"

#include <stdint.h>
#include <sys/resource.h>

#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint64_t k_program_has_of_eight = 7;
constexpr uint64_t k_statm_page = 4096;

uint64_t g_taken = 0;
size_t g_refused = SIZE_MAX;  // this many and more: a refusal must not cost the next event three system calls

uint64_t limit_of(int resource) {
  struct {
    uint64_t current;
    uint64_t greatest;
  } limit;
  return system_call(SYS_prlimit64, 0, resource, 0, as_word(&limit)) == 0 ? limit.current : RLIM_INFINITY;
}

/* What proc(5) says of /proc/self/statm: the first number is all address space, the sixth what RLIMIT_DATA is about,
 * with the stack; in pages. */
struct Usage {
  uint64_t all = UINT64_MAX;
  uint64_t data = UINT64_MAX;
};

Usage read_usage() {
  constexpr size_t k_numbers = 6;
  const long descriptor = open_file("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) {
    return {};
  }
  char text[128];
  const long length = system_call(SYS_read, descriptor, as_word(text), sizeof(text));
  close_file(descriptor);
  uint64_t numbers[k_numbers] = {};
  size_t at = 0;
  for (long i = 0; i < length && at < k_numbers; ++i) {
    if (text[i] >= '0' && text[i] <= '9') {
      numbers[at] = 10 * numbers[at] + static_cast<uint64_t>(text[i] - '0');
    } else {
      at += 1;
    }
  }
  return at < k_numbers ? Usage{} : Usage{numbers[0] * k_statm_page, numbers[k_numbers - 1] * k_statm_page};
}

/* `taken` is ours and part of `used`. */
bool leaves_enough(uint64_t limit, uint64_t used, uint64_t taken, uint64_t bytes) {
  return limit == RLIM_INFINITY || (used < limit && (taken + bytes) * k_program_has_of_eight + bytes <= limit - used);
}

bool is_within_limits(uint64_t taken, size_t bytes) {
  const uint64_t address_space = limit_of(RLIMIT_AS);
  const uint64_t data = limit_of(RLIMIT_DATA);
  if (address_space == RLIM_INFINITY && data == RLIM_INFINITY) {
    return true;
  }
  const Usage usage = read_usage();
  return leaves_enough(address_space, usage.all, taken, bytes) && leaves_enough(data, usage.data, taken, bytes);
}

}  // namespace

bool claim_share(size_t bytes) {
  if (bytes >= __atomic_load_n(&g_refused, __ATOMIC_RELAXED)) {
    return false;
  }
  const uint64_t taken = __atomic_fetch_add(&g_taken, bytes, __ATOMIC_RELAXED);
  if (is_within_limits(taken, bytes)) {
    return true;
  }
  __atomic_store_n(&g_refused, bytes, __ATOMIC_RELAXED);
  return_share(bytes);
  return false;
}

void return_share(size_t bytes) {
  __atomic_fetch_sub(&g_taken, bytes, __ATOMIC_RELAXED);
}

}  // namespace allocgate::hooks

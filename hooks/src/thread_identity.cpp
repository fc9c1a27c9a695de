// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "thread_identity.hpp"

#include <pthread.h>

#include "symbol_search.hpp"
#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

/* What glibc tells its thread debugging library of a field. */
struct FieldDescription {
  uint32_t bits;
  uint32_t elements;
  uint32_t offset;
};

constexpr uint32_t k_greatest_offset = 4096;

// 0: not known. Ordinary memory: a forked child has it from its parent.
uint32_t g_offset_of_id = 0;

int32_t noted_id(uint32_t offset) {
  const auto thread = reinterpret_cast<const char*>(pthread_self());
  return __atomic_load_n(reinterpret_cast<const int32_t*>(thread + offset), __ATOMIC_RELAXED);
}

}  // namespace

void find_noted_thread_ids() {
  WantedSymbol symbol{"_thread_db_pthread_tid"};
  find_next_definitions(&symbol, 1);
  const auto* field = static_cast<const FieldDescription*>(symbol.address);
  if (field != nullptr && field->bits == 8 * sizeof(int32_t) && field->offset % sizeof(int32_t) == 0 &&
      field->offset < k_greatest_offset && noted_id(field->offset) == kernel_thread_id()) {
    g_offset_of_id = field->offset;
  }
}

int32_t thread_id() {
  return g_offset_of_id != 0 ? noted_id(g_offset_of_id) : kernel_thread_id();
}

int32_t forked_process_id(int32_t parent_thread) {
  if (g_offset_of_id != 0 && parent_thread != 0) {
    if (const int32_t noted = noted_id(g_offset_of_id); noted != parent_thread) {
      return noted;
    }
  }
  g_offset_of_id = 0;
  return process_id();
}

}  // namespace allocgate::hooks

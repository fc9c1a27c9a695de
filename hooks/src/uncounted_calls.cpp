// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "uncounted_calls.hpp"

#include "process_state.hpp"
#include "record.hpp"
#include "reference_check.hpp"

namespace allocgate::hooks {
namespace {

bool g_is_checking = false;
bool g_may_forward = false; /* the process is SHADOWED by an object alone that may turn out to pass its calls on */

void forget_shadow(allocgate_process_entry& entry) {
  __atomic_fetch_and(&entry.flags, ~uint32_t{ALLOCGATE_PROCESS_SHADOWED}, __ATOMIC_RELAXED);
  entry.uncounted_object[0] = '\0';
}

/* What was found of an object that is closed by now stays. */
void tell(allocgate_process_entry& entry, const UncountedCalls& found) {
  const bool was_shadowed = (__atomic_load_n(&entry.flags, __ATOMIC_RELAXED) & ALLOCGATE_PROCESS_SHADOWED) != 0;
  const bool is_shadowed = (found.flags & ALLOCGATE_PROCESS_SHADOWED) != 0;
  if (g_may_forward && was_shadowed && !is_shadowed) {
    forget_shadow(entry);
  }
  if (found.object != nullptr && (entry.uncounted_object[0] == '\0' || (is_shadowed && !was_shadowed))) {
    copy_path(entry.uncounted_object, found.object[0] != '\0' ? found.object : entry.executable);
  }
  __atomic_fetch_or(&entry.flags, found.flags, __ATOMIC_RELAXED);
  g_may_forward = found.may_forward;
}

}  // namespace

void check_what_is_not_counted() {
  if (!is_own_process() || __atomic_exchange_n(&g_is_checking, true, __ATOMIC_ACQUIRE)) {
    return;
  }
  allocgate_process_entry& entry = *process_state().entry;
  const bool is_forked = (__atomic_load_n(&entry.flags, __ATOMIC_RELAXED) & ALLOCGATE_PROCESS_FORKED) != 0;
  if (!is_forked && references_may_have_changed()) {
    tell(entry, check_references());
  }
  __atomic_store_n(&g_is_checking, false, __ATOMIC_RELEASE);
}

void forget_what_may_change(allocgate_process_entry& child) {
  if (g_may_forward) {
    forget_shadow(child);
  }
}

}  // namespace allocgate::hooks

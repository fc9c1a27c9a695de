// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process_state.hpp"

#include <unistd.h>

#include "counters.hpp"
#include "executions.hpp"
#include "hooks_table.hpp"
#include "live_bytes.hpp"
#include "stacks/recording.hpp"
#include "summary.hpp"
#include "system_calls.hpp"
#include "thread_identity.hpp"
#include "uncounted_calls.hpp"

// musl has none.
extern "C" __attribute__((weak)) int on_exit(void (*handler)(int code, void* argument), void* argument) noexcept;

namespace allocgate::hooks {
namespace {

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

// How many blocks a new thread looks at for one whose owner is gone: by its memory, which libcs use again for the next
// thread, and by asking the kernel. The place to ask for moves on with every claim, so that a program which keeps
// thousands of threads pays four calls.
constexpr int k_compared_blocks = 64;
constexpr int k_revisited_blocks = 4;

constexpr allocgate_block block_that_never_publishes() {
  allocgate_block block = {};
  block.publish_above = INT64_MAX;
  block.publish_below = INT64_MIN;
  return block;
}

// Events before the environment can be read, and in signal handlers that interrupt a claim: added to the first block.
constinit allocgate_block g_early_block = block_that_never_publishes();

// Where the events go of threads that found no block: nobody reads it, the process's flag says that they are missing.
constinit allocgate_block g_lost_block = block_that_never_publishes();

// Ordinary memory, so that a child still sees them after its page was wiped.
uint32_t g_last_key = 0;
allocgate_process_entry* g_parent_entry = nullptr;
bool g_page_is_wiped_on_fork = false;
bool g_refuses_early_block = false;
bool g_has_vforked = false;

/* Old kernels (before 4.14) and some sandboxes refuse: then no thread ever gets a key, and each call asks for its pid,
 * which is slow and still right after _Fork and raw clone, where no handler of pthread_atfork runs. */
void protect_page_from_fork() {
  if (!g_page_is_wiped_on_fork) {
    g_page_is_wiped_on_fork =
        system_call(SYS_madvise, as_word(&g_process_page), sizeof(g_process_page), MADV_WIPEONFORK) == 0;
  }
}

/* Without followed children only the process that came first counts: all of its images, nothing else. */
bool must_count_privately(const allocgate_process_entry* forked_from) {
  const allocgate_record_header& header = *g_record.header;
  if (header.follow_children != 0) {
    return false;
  }
  if (forked_from != nullptr) {
    return true;
  }
  return __atomic_load_n(&header.next_process, __ATOMIC_RELAXED) > 0 && g_record.processes[0].pid != process_id();
}

allocgate_process_entry* enter_record() {
  const allocgate_process_entry* forked_from = g_parent_entry;
  const int32_t pid = forked_from != nullptr ? forked_process_id(t_thread.id) : process_id();
  if (g_record.header == nullptr) {
    open_record();
    if (g_record.kind == RecordKind::shared) {
      prepare_summary(pid);
    }
  }
  if (must_count_privately(forked_from) || g_record.kind == RecordKind::private_memory) {
    use_private_record();
  }
  allocgate_hooks_v1.level = g_record.header->level;
  allocgate_process_entry* entry = claim_process_entry(pid, forked_from);
  if (entry == nullptr) {
    __atomic_fetch_add(&g_record.header->images_not_counted, 1, __ATOMIC_RELAXED);
    use_private_record();
    entry = claim_process_entry(pid, forked_from);
  }
  if (forked_from == nullptr) {
    answer_announcement(*entry);
  } else {
    forget_what_may_change(*entry);
  }
  start_recording(*entry);
  return entry;
}

/* False in a signal handler that interrupted this very thread's claim. Who waits here waits for a thread of this
 * process: from before the first claim on, a forked child's page names none. */
bool claim_process() {
  protect_page_from_fork();
  ProcessState& process = process_state();
  const int32_t self = thread_id();
  int32_t initialiser = 0;
  if (!__atomic_compare_exchange_n(&process.initialiser, &initialiser, self, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE)) {
    if (initialiser == self && __atomic_load_n(&process.key, __ATOMIC_ACQUIRE) == 0) {
      return false;
    }
    while (__atomic_load_n(&process.key, __ATOMIC_ACQUIRE) == 0) {
      yield_processor();
    }
    return true;
  }
  if (!g_page_is_wiped_on_fork) {
    process.pid = process_id();
  }
  allocgate_process_entry* entry = enter_record();
  if (__atomic_load_n(&process.initialiser, __ATOMIC_ACQUIRE) != self) {
    // A signal handler has forked: this is the child, the entry is its parent's, and its own is claimed anew.
    return process_key() != 0 || claim_process();
  }
  process.entry = entry;
  process.pid = entry->pid;
  g_parent_entry = process.entry;
  g_last_key += 1;
  __atomic_store_n(&process.key, g_last_key, __ATOMIC_RELEASE);
  return true;
}

void forget_parent_without_wiped_page() {
  ProcessState& process = process_state();
  if (!g_page_is_wiped_on_fork && process.pid != 0 && process.pid != process_id()) {
    process = {};
  }
}

uint64_t place_of_this_thread() {
  return reinterpret_cast<uintptr_t>(&t_thread);
}

bool take_block(allocgate_block& block, int32_t from, int32_t self) {
  if (!__atomic_compare_exchange_n(&block.owner, &from, self, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
    return false;
  }
  __atomic_store_n(&block.owner_place, place_of_this_thread(), __ATOMIC_RELEASE);
  return true;
}

/* Takes over the block of a thread that is gone for certain, without asking the kernel: this one has its memory. A
 * block without a writer has its sums continued. */
allocgate_block* take_over_block_of_place(const ProcessState& process, int32_t self) {
  allocgate_block* block = block_at(__atomic_load_n(&process.entry->first_block, __ATOMIC_ACQUIRE));
  for (int i = 0; i < k_compared_blocks && block != nullptr; ++i, block = block_at(block->next)) {
    const int32_t owner = __atomic_load_n(&block->owner, __ATOMIC_RELAXED);
    if (__atomic_load_n(&block->owner_place, __ATOMIC_ACQUIRE) == place_of_this_thread() &&
        take_block(*block, owner, self)) {
      return block;
    }
  }
  return nullptr;
}

/* Takes over the block of a thread that the kernel does not know any more. */
allocgate_block* take_over_block(ProcessState& process, int32_t self) {
  uint32_t index = __atomic_load_n(&process.next_to_revisit, __ATOMIC_ACQUIRE);
  for (int i = 0; i < k_revisited_blocks; ++i) {
    if (index == 0) {
      index = __atomic_load_n(&process.entry->first_block, __ATOMIC_ACQUIRE);
      if (index == 0) {
        return nullptr;
      }
    }
    allocgate_block* block = block_at(index);
    const int32_t owner = __atomic_load_n(&block->owner, __ATOMIC_RELAXED);
    if (!thread_may_exist(owner) && take_block(*block, owner, self)) {
      __atomic_store_n(&process.next_to_revisit, index, __ATOMIC_RELEASE);
      return block;
    }
    index = block->next;
  }
  __atomic_store_n(&process.next_to_revisit, index, __ATOMIC_RELEASE);
  return nullptr;
}

/* The kernel is asked who is gone only when blocks get scarce: a sandbox may kill for the question. */
bool are_blocks_scarce() {
  const allocgate_record_header& header = *g_record.header;
  return __atomic_load_n(&header.next_block, __ATOMIC_RELAXED) >= header.block_capacity / 2;
}

allocgate_block* find_block(ProcessState& process, int32_t self) {
  allocgate_block* block = take_over_block_of_place(process, self);
  if (block == nullptr && are_blocks_scarce()) {
    block = take_over_block(process, self);
  }
  return block != nullptr ? block : claim_new_block(*process.entry, self, place_of_this_thread());
}

void fold_early_block(allocgate_block& block) {
  uint64_t* from = &g_early_block.allocated_bytes;
  uint64_t* to = &block.allocated_bytes;
  const auto end = reinterpret_cast<uint64_t*>(&g_early_block + 1);
  for (; from != end; ++from, ++to) {
    const bool is_threshold = from == reinterpret_cast<uint64_t*>(&g_early_block.publish_above) ||
                              from == reinterpret_cast<uint64_t*>(&g_early_block.publish_below);
    if (!is_threshold && *from != 0) {
      const uint64_t counted = __atomic_exchange_n(from, 0, __ATOMIC_RELAXED);
      add(*to, counted);
      note_early_events(g_early_block, *from, counted);
    }
  }
}

void claim_block() {
  ProcessState& process = process_state();
  const int32_t self = thread_id();
  const uint32_t threads = __atomic_add_fetch(&process.threads, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&process.entry->threads, 1, __ATOMIC_RELAXED);
  if (threads == 2) {
    flag_process(ALLOCGATE_PROCESS_THREADS);
    publish_drift_of_all_threads(*process.entry);
  }
  allocgate_block* block = find_block(process, self);
  if (block == nullptr) {
    flag_process(ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED);
    block = &g_lost_block;
  } else {
    __atomic_fetch_add(&block->generation, 1, __ATOMIC_RELAXED);
    fold_early_block(*block);
    publish_live_bytes(*block);
  }
  t_thread.block = block;
  t_thread.recorder = block != &g_lost_block ? recorder_of_block(*block) : nullptr;
  t_thread.id = self;
  t_thread.claim_key = process.key;
}

void take_keys() {
  if (!g_page_is_wiped_on_fork) {
    return;
  }
  if (g_recording.is_on) {
    t_thread.recording_key = t_thread.claim_key;
  } else if (counts_usable_sizes()) {
    t_thread.usable_key = t_thread.claim_key;
  } else {
    t_thread.counts_key = t_thread.claim_key;
  }
}

/* Whether the libc has handed over the environment: the loader may call us before. */
bool is_too_early() {
  return g_record.header == nullptr && environ == nullptr && !g_refuses_early_block;
}

/* Null while this thread's claim of the process is interrupted by the signal handler that asks. */
allocgate_block* claimed_block() {
  forget_parent_without_wiped_page();
  if (process_key() == 0) {
    if (is_too_early() || !claim_process()) {
      return nullptr;
    }
  }
  if (t_thread.claim_key != process_key()) {
    claim_block();
  }
  return t_thread.block;
}

}  // namespace

constinit thread_local ThreadState t_thread;
ProcessPage g_process_page;

/* A next function that ends with a jump to one of ours returns to the hook that called it, in this library. */
static bool is_part_of_request_under_way(const void* caller) {
  return t_thread.nested_in != nullptr && (t_thread.nested_in->contains(caller) || is_in_this_library(caller));
}

allocgate_block* block_for_call(const void* caller) {
  if (t_thread.paused != 0 || is_part_of_request_under_way(caller)) {
    return nullptr;
  }
  allocgate_block* block = claimed_block();
  if (block == nullptr) {
    return &g_early_block;
  }
  if (t_thread.nested_in == nullptr) {
    take_keys();
  }
  return block;
}

allocgate_block* block_of_this_thread() {
  allocgate_block* block = claimed_block();
  return block != nullptr ? block : &g_early_block;
}

bool is_own_process() {
  const ProcessState& process = process_state();
  if (process.key == 0) {
    return false;
  }
  return g_page_is_wiped_on_fork && !g_has_vforked ? true : process.pid == process_id();
}

static void mark_as_ended() {
  if (is_own_process()) {
    __atomic_store_n(&process_state().entry->state, ALLOCGATE_PROCESS_EXITED, __ATOMIC_RELEASE);
    write_summary(process_state().pid);
  }
}

void start_process() {
  g_refuses_early_block = true;
  find_noted_thread_ids();
  claimed_block();
  check_what_is_not_counted();
}

void end_process() {
  check_what_is_not_counted();
  // A handler that is added while glibc runs the destructors runs after all of them, takes no room that the program's
  // own would need, and is told what main returned.
  const auto end = [](int code, void*) {
    note_exit_code(code);
    mark_as_ended();
  };
  if (on_exit == nullptr || on_exit(end, nullptr) != 0) {
    mark_as_ended();
  }
}

void note_exit_code(int code) {
  if (is_own_process()) {
    allocgate_process_entry& entry = *process_state().entry;
    __atomic_store_n(&entry.exit_code, code & 0xff, __ATOMIC_RELAXED);
    __atomic_store_n(&entry.exit_known, 1, __ATOMIC_RELEASE);
  }
}

void end_process_with(int code) {
  check_what_is_not_counted();
  note_exit_code(code);
  mark_as_ended();
}

void note_vfork() {
  g_has_vforked = true;
}

ProcessIdentity identify_process() {
  const ProcessState& process = process_state();
  if (is_own_process()) {
    return {process.pid, process.entry->parent_pid};
  }
  const int32_t pid = process_id();
  return {pid, g_parent_entry != nullptr && g_parent_entry->pid != pid ? g_parent_entry->pid : parent_process_id()};
}

const allocgate_process_entry* entry_of_image() {
  return g_parent_entry;
}

void flag_process(uint32_t flags) {
  __atomic_fetch_or(&process_state().entry->flags, flags, __ATOMIC_RELAXED);
}

}  // namespace allocgate::hooks

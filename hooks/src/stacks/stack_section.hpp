// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The file that this process records its stacks in (allocgate/stack_record.h says what is in it). It is made when the
// process claims its entry in the hook record, and grows by segments when pages are wanted; every byte is allocated on
// disk before it is mapped, so that a full disk is a refusal and no bus error. A refusal is final. Any thread, any
// signal handler; waits only for another thread's system calls, and not for ever.
#pragma once

#include <allocgate/stack_record.h>
#include <stddef.h>
#include <stdint.h>

namespace allocgate::hooks {

/* The file in units of 256 KiB: where each is mapped. Of units that are not there the entries are null. */
constexpr uint32_t k_unit_shift = 18;
constexpr uint32_t k_most_units = 8192;  // 2 GiB
extern char* g_section_units[k_most_units] __attribute__((visibility("hidden")));

constexpr uint32_t k_reference_shift = 4;  // references count in 16 bytes

/* A node by its reference, which must be of a page that was claimed. */
inline allocgate_stack_node& node_at(uint32_t reference) {
  constexpr uint32_t k_shift = k_unit_shift - k_reference_shift;
  char* unit = __atomic_load_n(&g_section_units[reference >> k_shift], __ATOMIC_RELAXED);
  return reinterpret_cast<allocgate_stack_node*>(unit)[reference & ((1u << k_shift) - 1)];
}

struct SectionPage {
  char* address = nullptr;  // of the page; null: none could be had
  uint32_t reference = 0;   // its offset in the file divided by 16
};

/* Starts this process's section; false when no file could be made. Also in a forked child: then what was inherited is
 * unmapped if `may_unmap` says that no walk which uses it was interrupted. One thread. */
bool open_section(const char* folder, const allocgate_stacks_header& identity, bool may_unmap);

/* Takes back the section that open_section() has just made, before anything is in it. */
void remove_section();

bool section_is_open();

/* A zeroed page whose kind is written. With `may_wait` false also no page when another thread is growing the file. */
SectionPage claim_page(uint32_t kind, bool may_wait);

/* Counts events that have no stack; nothing while no section is open. */
void count_unattributed(uint32_t size_class, uint64_t allocations, uint64_t bytes);

/* The bytes of events whose size classes are not known any more. */
void count_unattributed_bytes(uint64_t bytes);

/* Deallocations of blocks that have no entry, and usable bytes of allocations that got none. */
void count_unattributed_deallocations(uint64_t deallocations, uint64_t bytes);
void count_unattributed_usable_bytes(uint64_t bytes);

/* Sets flags (enum allocgate_stacks_flag). */
void flag_section(uint32_t flags);

}  // namespace allocgate::hooks

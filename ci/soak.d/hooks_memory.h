/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SOAK_HOOKS_MEMORY_H
#define ALLOCGATE_SOAK_HOOKS_MEMORY_H

#include <stdint.h>

/* What the hooks take of this process, in bytes. */
struct hooks_memory {
  uint64_t mapped; /* address space: the record and everything of the library, by /proc/self/smaps */
  uint64_t used;   /* what of the library's own data is resident, and the record's blocks that this process claimed */
};

/* Looks at both. What of the record is resident says nothing: it is of one size from the start, and has a line for each
 * child. Ends the program where the record or the library is not to be found. */
struct hooks_memory look_at_hooks_memory(void);

#endif /* ALLOCGATE_SOAK_HOOKS_MEMORY_H */

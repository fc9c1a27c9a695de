/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_STACK_RECORD_H
#define ALLOCGATE_STACK_RECORD_H

/*
 * The stack record, version 1: which call stacks allocated. One file a section, one section an image (a process between
 * two execs; a forked child has its own), made by the hooks in the folder that ALLOCGATE_STACKS names, and mapped, so
 * that it survives whatever ends the process. It stands beside the hook record, whose counters it splits up: the
 * allocations, bytes and size classes of a section's stacks and of its unattributed events add up to the counters of
 * the image's process entry. A process that is killed may lack one event a thread that was under way.
 *
 * Recorded in windows, the section of the process that published them adds up to the sum of those of its windows that
 * say ALLOCGATE_WINDOW_STACKS, allocations, bytes and size classes alike, and is the work of as many iterations as they
 * have together. Where the workload has threads that allocate at the very moment a window begins, or after it gave up
 * waiting for them (ALLOCGATE_WINDOW_NOT_DRAINED), the two are readings a moment apart: whoever reads both compares
 * them. Forked children record from the fork to their end and belong to no window, and a window that failed leaves what
 * it recorded.
 *
 * The file grows by segments of up to 16 MiB and is a sequence of pages of 4096 bytes. The first holds the header; each
 * other begins with a page header that says what is in it. A page whose kind is 0 was not used. A stack is a node: the
 * innermost frame, its parent the next frame outward, and so on up to a root, which says why the stack ends there. A
 * node's reference is its offset in the file divided by 16. Two nodes may describe the same stack; their counts add up.
 *
 * C11 and C++20; depends on <stdint.h> only. Host-endian, as the hook record is.
 */

#include <stdint.h>

#define ALLOCGATE_STACKS_MAGIC 0x314b545347434c41ull /* "ALCGSTK1" read as a little-endian integer */
#define ALLOCGATE_STACKS_VERSION 1u

#define ALLOCGATE_STACKS_PAGE 4096u
#define ALLOCGATE_STACKS_CLASSES 64u /* as in the hook record */
#define ALLOCGATE_STACKS_PATH_CAPACITY 880u
#define ALLOCGATE_STACKS_BUILD_ID_CAPACITY 64u

/* A stack of more frames is cut: its outermost and its innermost frames are kept, with ALLOCGATE_PLACE_CUT between. */
#define ALLOCGATE_STACKS_OUTER_FRAMES 960u
#define ALLOCGATE_STACKS_INNER_FRAMES 64u

/* Environment through which the runner asks for stacks. Absent: nothing is recorded and nothing is paid. */
#define ALLOCGATE_ENV_STACKS "ALLOCGATE_STACKS" /* an existing folder, by its absolute path */
/* "1": recording begins paused, and allocgate_hooks_table.resume_stacks starts it; google-benchmark's loops do so. */
#define ALLOCGATE_ENV_STACKS_PAUSED "ALLOCGATE_STACKS_PAUSED"
/* The one window that a process which begins paused records, by its number in the order they are published, from 0.
 * Absent: every one. So "3" with the windows "1,1,2,3" of the suite protocol leaves warm-up and shorter windows out. */
#define ALLOCGATE_ENV_STACKS_WINDOW "ALLOCGATE_STACKS_WINDOW"
/* "1": what became of the blocks is recorded too (allocgate_stack_live), where the record counts usable sizes. */
#define ALLOCGATE_ENV_STACKS_LIVE "ALLOCGATE_STACKS_LIVE"
/* A number of bytes: a stack is taken only of the allocation with which a thread has asked for so many more. */
#define ALLOCGATE_ENV_STACKS_SAMPLE "ALLOCGATE_STACKS_SAMPLE"

enum allocgate_stacks_flag {
  ALLOCGATE_STACKS_TRUNCATED = 1u << 0, /* memory could not be had: see the unattributed counts */
  ALLOCGATE_STACKS_PARTIAL = 1u << 1,   /* recording was paused for a time: the stacks are not the whole life */
  ALLOCGATE_STACKS_FOLLOWED = 1u << 2   /* what became of the blocks is here too */
};

/* The first page. */
struct allocgate_stacks_header {
  uint64_t magic; /* written last */
  uint32_t version;
  uint32_t flags; /* enum allocgate_stacks_flag */
  int32_t pid;
  int32_t parent_pid;
  uint32_t process; /* index of the image's process entry in the hook record */
  uint32_t reserved;
  uint64_t size; /* of the file in bytes */
  /* Counted while stacks were recorded, but without a stack: by size class. */
  uint64_t unattributed_allocations[ALLOCGATE_STACKS_CLASSES];
  uint64_t unattributed_bytes[ALLOCGATE_STACKS_CLASSES];
  /* 0: every event has its stack. Else stacks are samples: one for so many bytes that a thread asked for. What an
   * entry of a stack counts are the sampled events themselves; the others are in the entries of
   * ALLOCGATE_ROOT_NOT_SAMPLED, so that all together still are what was counted. */
  uint64_t sample_bytes;
  /* With ALLOCGATE_STACKS_FOLLOWED: blocks freed that belong to no entry, because they were allocated before recording
   * began, while it was paused, or without memory for an entry; and usable bytes of allocations that got no entry. */
  uint64_t unattributed_deallocations;
  uint64_t unattributed_deallocated_bytes;
  uint64_t unattributed_usable_bytes;
};

enum allocgate_stacks_page_kind {
  ALLOCGATE_STACKS_UNUSED = 0,
  ALLOCGATE_STACKS_NODES = 1,
  ALLOCGATE_STACKS_COUNTS = 2,
  ALLOCGATE_STACKS_MODULES = 3,
  ALLOCGATE_STACKS_LIVE = 4
};

struct allocgate_stacks_page {
  uint32_t kind;
  uint32_t reserved[3];
};

/* Why a stack ends: the parent of its outermost frame. */
enum allocgate_stacks_root {
  ALLOCGATE_ROOT_NONE = 0,        /* not a node */
  ALLOCGATE_ROOT_OUTERMOST = 1,   /* whole: the thread's first frame */
  ALLOCGATE_ROOT_CUT = 2,         /* deeper than the hooks follow: only innermost frames */
  ALLOCGATE_ROOT_NO_RULE = 3,     /* the code of the outermost frame has no unwind table, or a rule nobody knows */
  ALLOCGATE_ROOT_NO_MODULE = 4,   /* the outermost frame is in no loaded module: generated code */
  ALLOCGATE_ROOT_UNREADABLE = 5,  /* the caller's frame would lie outside of the stack */
  ALLOCGATE_ROOT_NOT_SAMPLED = 6, /* in entries, not of nodes: the events that were no samples; they have no stack */
  ALLOCGATE_ROOT_FIRST_NODE = 256
};

/* The module number in the upper 16 bits of a place. */
#define ALLOCGATE_PLACE_MODULE_SHIFT 48
#define ALLOCGATE_PLACE_NO_MODULE 0u                                    /* the address below is absolute */
#define ALLOCGATE_PLACE_CUT (0xffffull << ALLOCGATE_PLACE_MODULE_SHIFT) /* frames are missing here */

/*
 * One frame. Its address lies inside the call instruction (a return address minus one), or is the interrupted
 * instruction itself below a signal frame: look it up as it is.
 */
struct allocgate_stack_node {
  uint64_t place;  /* module number << 48 | address */
  uint32_t parent; /* reference of the next frame outward, or enum allocgate_stacks_root; written last */
  uint32_t second; /* the recorder's own: a child that does not lie right behind; readers leave it alone */
};

/* Events of one stack and one size class. */
struct allocgate_stack_count {
  uint32_t node; /* written last; 0: not used */
  uint32_t size_class;
  uint64_t allocations;
  uint64_t bytes;
};

/*
 * With ALLOCGATE_STACKS_FOLLOWED: what became of the blocks of one stack that one thread allocated (the thread of a
 * block of the hook record, and those that had it after it). Bytes are usable sizes, as in the hook record; so
 *   deallocations + deallocations_by_others, and the same of bytes, with the header's unattributed, add up to the
 *   counters, and
 *   live_bytes - deallocated_bytes_by_others is what of these blocks was live at the end,
 * and with all that was freed what was allocated. A realloc frees and allocates. The peak is exact of the blocks of
 * this entry; where a stack has several entries, its own peak is at most the sum of theirs.
 * What is freed while recording is paused is not counted: such a block stays live in its entry.
 */
struct allocgate_stack_live {
  uint32_t node;  /* written last; 0: not used */
  uint32_t owner; /* number of the block of the hook record, plus 1; no two threads at once have the same */
  uint64_t deallocations;
  uint64_t deallocated_bytes;
  uint64_t temporary; /* freed by the thread that allocated it, before it allocated again */
  int64_t live_bytes; /* allocated less deallocated_bytes */
  int64_t peak_live_bytes;
  uint64_t deallocations_by_others; /* by atomic add: freed by other threads */
  uint64_t deallocated_bytes_by_others;
};

/*
 * One loaded object that has frames in this section. The same file loaded again at the same place is the same module;
 * another one there, or the same elsewhere, is another.
 */
struct allocgate_stack_module {
  uint32_t number;     /* 1 ...; written last; 0: not used */
  uint32_t generation; /* how often the loader's list was seen to change before this one was met */
  uint64_t base;       /* difference between addresses in memory and in the file */
  uint64_t begin;      /* addresses in memory */
  uint64_t end;
  uint32_t build_id_size;
  uint32_t path_is_cut;
  uint8_t build_id[ALLOCGATE_STACKS_BUILD_ID_CAPACITY];
  char path[ALLOCGATE_STACKS_PATH_CAPACITY]; /* of a path that is too long the end */
};

#define ALLOCGATE_STACKS_NODES_A_PAGE 255u /* the last stays empty, so that the one after any node can be looked at */
#define ALLOCGATE_STACKS_COUNTS_A_PAGE 170u
#define ALLOCGATE_STACKS_LIVE_A_PAGE 63u /* of a cache line each, from the second line on */
#define ALLOCGATE_STACKS_MODULES_A_PAGE 4u

#ifdef __cplusplus
static_assert(sizeof(struct allocgate_stacks_header) <= ALLOCGATE_STACKS_PAGE, "it is the first page");
static_assert(sizeof(struct allocgate_stacks_page) == 16 && sizeof(struct allocgate_stack_node) == 16,
              "a node's reference is its offset divided by 16");
static_assert(sizeof(struct allocgate_stack_count) == 24 && sizeof(struct allocgate_stack_live) == 64 &&
                  sizeof(struct allocgate_stack_module) <= (ALLOCGATE_STACKS_PAGE - 16) / 4,
              "the record is a format: its layout is fixed");
#endif

#endif /* ALLOCGATE_STACK_RECORD_H */

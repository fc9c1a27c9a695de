/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HOOK_RECORD_H
#define ALLOCGATE_HOOK_RECORD_H

/*
 * The hook record, version 1: one file that is mapped by every measured process and read by the runner.
 *
 * The runner creates it at its full size before the measurement and zeroes it (the layout below depends on zeroes
 * meaning "not claimed"); the hooks map it once per image and never grow it. Threads and forked children claim their
 * own block by one atomic add on `next_block`; a block has one writer, the runner only reads. Nothing here is a
 * pointer, so each process may map it anywhere. All integers are host-endian: writer and reader share a machine.
 *
 * C11 and C++20; depends on <stdint.h> only.
 */

#include <stdint.h>

#define ALLOCGATE_RECORD_MAGIC 0x31434552474c4c41ull /* "ALLGREC1" read as a little-endian integer */
#define ALLOCGATE_RECORD_VERSION 1u

/* Sizes the runner uses when it is told nothing else. Blocks are claimed by threads, processes by images. */
#define ALLOCGATE_RECORD_DEFAULT_BLOCKS 8192u
#define ALLOCGATE_RECORD_DEFAULT_PROCESSES 2048u
#define ALLOCGATE_RECORD_DEFAULT_WINDOWS 1024u
#define ALLOCGATE_RECORD_DEFAULT_EXECUTIONS 2048u

#define ALLOCGATE_PATH_CAPACITY 488u /* an executable's path, cut at this length with its end kept */
#define ALLOCGATE_SIZE_CLASS_SLOTS 64u

/* What is counted; the runner writes it into the header. Each level includes the one before it. */
enum allocgate_level {
  ALLOCGATE_LEVEL_COUNTS = 1, /* allocations, bytes, size classes */
  ALLOCGATE_LEVEL_USABLE = 2  /* and usable sizes, live and peak */
};

/* Why a process's counts are not whole: bits of allocgate_process_entry.flags. Bit 1 has no meaning. */
enum allocgate_process_flag {
  ALLOCGATE_PROCESS_BLOCKS_EXHAUSTED = 1u << 0,  /* a thread found no block: its events are lost */
  ALLOCGATE_PROCESS_SHADOWED = 1u << 2,          /* some object's calls do not reach the hooks */
  ALLOCGATE_PROCESS_FORKED = 1u << 3,            /* came from fork: same executable as its parent */
  ALLOCGATE_PROCESS_THREADS = 1u << 4,           /* more than one thread claimed a block: peak has an error bound */
  ALLOCGATE_PROCESS_WINDOWS_EXHAUSTED = 1u << 5, /* a window was published and found no entry */
  ALLOCGATE_PROCESS_OWN_NEW = 1u << 6,           /* operator new is the program's own: its pools are not seen */
  ALLOCGATE_PROCESS_OTHER_NAMESPACE = 1u << 7,   /* dlmopen loaded a libc of its own: its heap is not counted */
  ALLOCGATE_PROCESS_STACKS_REFUSED = 1u << 8     /* call stacks were asked for and could not be recorded at all */
};

/* How far a process came, as far as its own hooks could say. What is not known stays `running`. */
enum allocgate_process_state {
  ALLOCGATE_PROCESS_UNCLAIMED = 0,
  ALLOCGATE_PROCESS_RUNNING = 1,
  ALLOCGATE_PROCESS_EXITED = 2 /* by exit, quick_exit or _exit; after a signal or a bare system call it stays running */
};

/*
 * One thread's counters. The owner adds with one instruction a counter; `allocations` is the sum of the size classes.
 * Slot i of `size_classes` counts requests of n bytes with i = bit_width(2n - 1) - 1, so slots 0, 1, 2, 3 ... hold
 * sizes 1, 2, 3-4, 5-8 ...; a request of 0 bytes (2n - 1 wraps) lands in slot 63, which no real size can reach.
 */
struct allocgate_block {
  uint32_t process;    /* index of the process entry, plus 1; 0 while not claimed */
  uint32_t next;       /* next block of the same process, index plus 1; 0 ends the list */
  int32_t owner;       /* thread id of the writer */
  uint32_t generation; /* how many threads wrote here, one after another */

  uint64_t allocated_bytes;
  uint64_t deallocations;
  uint64_t reallocations;
  uint64_t failed_allocations;

  uint64_t allocated_usable_bytes; /* from here on: ALLOCGATE_LEVEL_USABLE only */
  uint64_t deallocated_bytes;
  int64_t unpublished_live_bytes; /* live bytes of this thread that the process entry does not have yet */
  int64_t publish_above;          /* publish when unpublished_live_bytes gets above this ... */
  int64_t publish_below;          /* ... or below this */
  uint64_t owner_place;           /* where the owner keeps its thread's storage: no two living threads have the same */
  uint64_t reserved[4];

  uint64_t size_classes[ALLOCGATE_SIZE_CLASS_SLOTS];
};

/* One image: a process between two execs. An exec adds an entry with the same pid; a fork one with its own pid. */
struct allocgate_process_entry {
  uint32_t state; /* enum allocgate_process_state; written last when the entry is claimed */
  uint32_t flags; /* enum allocgate_process_flag bits */
  int32_t pid;
  int32_t parent_pid; /* of a forked process: of the nearest ancestor that has an entry */
  int32_t exit_code;  /* meaningful when state is EXITED and exit_known is 1; what main returned is not known of musl */
  uint32_t exit_known;
  uint32_t first_block;    /* head of the list of blocks, index plus 1 */
  uint32_t threads;        /* blocks claimed, counting re-use */
  int64_t live_bytes;      /* published by the threads; LEVEL_USABLE */
  int64_t peak_live_bytes; /* greatest live_bytes since the entry was claimed or the peak was last reset */
  char executable[ALLOCGATE_PATH_CAPACITY];
  char uncounted_object[ALLOCGATE_PATH_CAPACITY]; /* which one SHADOWED, OTHER_NAMESPACE or OWN_NEW is about, if any */
};

/*
 * One program that a counted process started or became, announced before it happened. The runner holds the images that
 * came against these: a program that was announced and has no entry of its own was not counted, by name.
 */
struct allocgate_execution_entry {
  uint32_t state; /* enum allocgate_execution_state; written last */
  int32_t pid;    /* of the process whose image the program becomes; of posix_spawn: 0 until it returned */
  int32_t parent_pid;
  uint32_t image_is_ours; /* 1 once hooks in the new image said that they count; set by whichever side saw it last */
  char program[ALLOCGATE_PATH_CAPACITY];
};

enum allocgate_execution_state {
  ALLOCGATE_EXECUTION_UNCLAIMED = 0,
  ALLOCGATE_EXECUTION_ANNOUNCED = 1, /* the call did not come back: the image was replaced, or was killed in it */
  ALLOCGATE_EXECUTION_FAILED = 2     /* the call came back with an error: no program was started */
};

/* A published window: the difference of two readings around `iterations` iterations. */
struct allocgate_window_entry {
  uint32_t state; /* 1 once everything else is written */
  uint32_t process;
  uint64_t iterations;
  uint64_t duration_ns;
  uint32_t threads;       /* benchmark threads that ran the loop */
  uint32_t peak_is_exact; /* 1 when one thread only claimed blocks during the window */
  int32_t open_fds;       /* descriptors open at the end and not at the start; -1 when not measured */
  uint32_t flags;         /* enum allocgate_window_flag bits */
  uint64_t allocations;
  uint64_t allocated_bytes;
  uint64_t deallocations;
  uint64_t reallocations;
  uint64_t failed_allocations;
  uint64_t allocated_usable_bytes;
  uint64_t deallocated_bytes;
  int64_t live_bytes;
  int64_t peak_live_bytes;
  uint64_t size_classes[ALLOCGATE_SIZE_CLASS_SLOTS];
};

enum allocgate_window_flag {
  ALLOCGATE_WINDOW_ERROR = 1u << 0,       /* the workload said that it failed (State::SkipWithError) */
  ALLOCGATE_WINDOW_NOT_DRAINED = 1u << 1, /* other threads were still allocating 5 s after the loop ended */
  ALLOCGATE_WINDOW_STACKS = 1u << 2       /* its call stacks are in the process's stack record (stack_record.h) */
};

/* The first page of the file. Its fields keep their places in every version, so that hooks of another version can at
 * least say in `images_not_counted` that they were there. The arrays follow in the order of their offsets, each
 * 128-byte aligned. */
struct allocgate_record_header {
  uint64_t magic;
  uint32_t version;
  uint32_t level; /* enum allocgate_level */
  uint64_t size;  /* of the whole file in bytes */
  uint32_t block_capacity;
  uint32_t process_capacity;
  uint32_t window_capacity;
  uint32_t follow_children; /* 0: only the process of entry 0 counts, with all its images; its children do not */
  uint64_t blocks_offset;
  uint64_t processes_offset;
  uint64_t windows_offset;
  uint32_t next_block;         /* claimed by atomic add; may run past the capacity */
  uint32_t next_process;       /* likewise */
  uint32_t next_window;        /* likewise */
  uint32_t images_not_counted; /* images that found no process entry or no block */
  uint64_t executions_offset;
  uint32_t execution_capacity;
  uint32_t next_execution; /* likewise; the last one is given back when its program could not be started */
};

#ifdef __cplusplus
static_assert(sizeof(struct allocgate_block) % 128 == 0, "neighbouring writers must not share a cache line pair");
static_assert(sizeof(struct allocgate_process_entry) == 1024, "the record is a format: its layout is fixed");
#endif

/* Environment through which the runner talks to the hooks. */
#define ALLOCGATE_ENV_RECORD "ALLOCGATE_RECORD" /* path of the record; absent: count alone and print a summary */
#define ALLOCGATE_ENV_OUTPUT "ALLOCGATE_OUTPUT" /* where the summary goes; %p is the process id */
#define ALLOCGATE_ENV_LEVEL "ALLOCGATE_LEVEL"   /* 1 or 2, without a record only; 2 when absent */

#endif /* ALLOCGATE_HOOK_RECORD_H */

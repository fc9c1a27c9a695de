/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* One case a function: `count` calls of 100 bytes, none of them released unless releasing is the case. */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "probe.h"

enum { k_size = 100 };

void cfree(void* pointer) __attribute__((weak));
void free_sized(void* pointer, size_t size) __attribute__((weak));
void free_aligned_sized(void* pointer, size_t alignment, size_t size) __attribute__((weak));
void* pvalloc(size_t size) __attribute__((weak));

static int is_aligned(const void* pointer, uintptr_t alignment) {
  return (uintptr_t)pointer % alignment == 0;
}

/* Nothing: what every other case is compared with. */
static int nothing(long count) {
  return (int)(count & 0);
}

#define EACH(name, expression)          \
  static int name##_calls(long count) { \
    for (; count > 0; --count) {        \
      HOLDS(used(expression) != NULL);  \
    }                                   \
    return 0;                           \
  }
EACH(malloc, malloc(k_size))
EACH(calloc, calloc(4, 25))
EACH(realloc, realloc(NULL, k_size))
EACH(reallocarray, reallocarray(NULL, 4, 25))
EACH(valloc, valloc(k_size))

static int posix_memalign_calls(long count) {
  for (; count > 0; --count) {
    void* pointer = NULL;
    HOLDS(posix_memalign(&pointer, 256, k_size) == 0);
    HOLDS(is_aligned(used(pointer), 256));
  }
  return 0;
}

static int aligned_alloc_calls(long count) {
  for (; count > 0; --count) {
    HOLDS(is_aligned(used(aligned_alloc(4, k_size)), 4));
  }
  return 0;
}

static int memalign_calls(long count) {
  for (; count > 0; --count) {
    void* pointer = used(memalign(512, k_size));
    HOLDS(pointer != NULL && is_aligned(pointer, 512));
  }
  return 0;
}

static int pvalloc_calls(long count) {
  for (; count > 0; --count) {
    void* pointer = used(pvalloc(k_size));
    HOLDS(pointer != NULL && is_aligned(pointer, 4096));
  }
  return 0;
}

/* As many allocations as releases; free(NULL) is neither. */
static int free_calls(long count) {
  for (; count > 0; --count) {
    free(used(malloc(k_size)));
    free(NULL);
  }
  return 0;
}

static int cfree_calls(long count) {
  for (; count > 0; --count) {
    cfree(used(malloc(k_size)));
  }
  return 0;
}

static int free_sized_calls(long count) {
  for (; count > 0; --count) {
    free_sized(used(malloc(k_size)), k_size);
  }
  return 0;
}

static int free_aligned_sized_calls(long count) {
  for (; count > 0; --count) {
    free_aligned_sized(used(aligned_alloc(64, 128)), 64, 128);
  }
  return 0;
}

/* A live block: count + 1 allocations, count deallocations, count reallocations; 100 + count x 200 bytes. */
static int realloc_live(long count) {
  void* pointer = used(malloc(k_size));
  for (; count > 0; --count) {
    pointer = used(realloc(pointer, 2 * k_size));
    HOLDS(pointer != NULL);
  }
  return 0;
}

/* realloc(p, 0): where it returns NULL, a deallocation; where it returns a block, both. Exit 100 tells the latter. */
static int realloc_to_zero(long count) {
  int returned_block = 0;
  for (; count > 0; --count) {
    returned_block = used(realloc(used(malloc(k_size)), (size_t)(count & 0))) != NULL;
  }
  return returned_block ? 100 : 0;
}

/* A realloc that fails: one failure each, the old block stays, its content too. */
static int realloc_failure(long count) {
  char* pointer = used(malloc(k_size));
  pointer[0] = 'x';
  for (; count > 0; --count) {
    HOLDS(used(realloc(pointer, (size_t)PTRDIFF_MAX - 4096)) == NULL);
    HOLDS(reallocarray(pointer, SIZE_MAX / 2, 4) == NULL);
    HOLDS(pointer[0] == 'x');
  }
  free(pointer);
  return 0;
}

/* Two failures each, no allocation. */
static int overflow(long count) {
  volatile size_t huge = SIZE_MAX / 2;
  for (; count > 0; --count) {
    HOLDS(used(calloc(huge, 4)) == NULL);
    HOLDS(used(reallocarray(NULL, huge, 4)) == NULL);
  }
  return 0;
}

/* Three allocations of 0 bytes each, in the slot of zero. */
static int zero_sizes(long count) {
  for (; count > 0; --count) {
    volatile size_t zero = 0;
    HOLDS(used(malloc(zero)) != NULL);
    HOLDS(used(calloc(zero, 8)) != NULL);
    HOLDS(used(realloc(NULL, zero)) != NULL);
  }
  return 0;
}

/* No event: what is refused for its alignment looked for no memory. The result is untouched, and so is errno. */
static int wrong_alignment(long count) {
  for (; count > 0; --count) {
    void* untouched = &untouched;
    errno = EAGAIN;
    HOLDS(posix_memalign(&untouched, 3, k_size) == EINVAL);
    HOLDS(untouched == (void*)&untouched);
    HOLDS(errno == EAGAIN);
  }
  return 0;
}

/* One failure each, under a limit on the address space; 1 allocation of 4 GiB + 1 bytes before it. */
static int memory_limit(long count) {
  void* big = used(malloc(((size_t)4 << 30) + 1));
  struct rlimit limit = {(rlim_t)200 << 20, (rlim_t)200 << 20};
  HOLDS(big != NULL);
  HOLDS(setrlimit(RLIMIT_AS, &limit) == 0);
  for (; count > 0; --count) {
    errno = 0;
    HOLDS(used(malloc((size_t)1 << 30)) == NULL);
    HOLDS(errno == ENOMEM);
  }
  return 0;
}

/* Errors of the program's own are still there after allocating: count + 1 allocations and deallocations. */
static int errno_stays(long count) {
  free(used(malloc(k_size))); /* an allocator below may set errno in its own start-up: mimalloc does */
  errno = EXDEV;
  for (; count > 0; --count) {
    free(used(malloc(k_size)));
    HOLDS(errno == EXDEV);
  }
  return 0;
}

static const struct probe_case k_cases[] = {
    {"nothing", nothing},
    {"malloc", malloc_calls},
    {"calloc", calloc_calls},
    {"realloc", realloc_calls},
    {"reallocarray", reallocarray_calls},
    {"posix_memalign", posix_memalign_calls},
    {"aligned_alloc", aligned_alloc_calls},
    {"memalign", memalign_calls},
    {"valloc", valloc_calls},
    {"pvalloc", pvalloc_calls},
    {"free", free_calls},
    {"cfree", cfree_calls},
    {"free_sized", free_sized_calls},
    {"free_aligned_sized", free_aligned_sized_calls},
    {"realloc_live", realloc_live},
    {"realloc_to_zero", realloc_to_zero},
    {"realloc_failure", realloc_failure},
    {"overflow", overflow},
    {"zero_sizes", zero_sizes},
    {"wrong_alignment", wrong_alignment},
    {"memory_limit", memory_limit},
    {"errno_stays", errno_stays},
};

PROBE_MAIN(k_cases)

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What the probes of call stacks share: functions that stay functions, so that a test knows them by their symbols.
#pragma once

#include <stddef.h>

#define ALLOCGATE_FRAME extern "C" [[gnu::noinline, gnu::noclone]]

/* Stands behind a call, so that it is no jump, and keeps a pointer. */
inline void keep(void* pointer = nullptr) {
  asm volatile("" : : "r"(pointer) : "memory");
}

using Callback = void (*)(long count);

/* Allocates `count` blocks of 24 bytes and frees them. */
ALLOCGATE_FRAME void site(long count);

/* Call `call`, from frames that are hard to leave. */
ALLOCGATE_FRAME void through_realigned(Callback call, long count);
ALLOCGATE_FRAME void through_alloca(Callback call, long count);
ALLOCGATE_FRAME void through_large_frame(Callback call, long count);
ALLOCGATE_FRAME void through_variadic(Callback call, long count, ...);
ALLOCGATE_FRAME void through_catch(Callback call, long count);
extern "C" void through_untabled_code(Callback call, long count);
ALLOCGATE_FRAME void through_generated_code(Callback call, long count);
ALLOCGATE_FRAME void through_coroutine(Callback call, long count);
ALLOCGATE_FRAME void through_small_thread(Callback call, long count);
ALLOCGATE_FRAME void through_signal(Callback call, long count);

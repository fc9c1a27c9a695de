// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The parts of random_stacks.
#pragma once

#include <stdint.h>

/* Keeps the compiler from seeing what becomes of it. */
inline void hide(void* pointer) {
  asm volatile("" : : "r"(pointer) : "memory");
}

/* Of this thread. */
void seed_random(uint64_t seed);
unsigned random_below(unsigned limit);

/* Allocates here, and on the way into random calls that go `depth` deep, more or less; may throw int. */
void allocate();
void go_on(int depth);

/* Installs the handlers that random calls raise: one allocates, one goes on. */
void take_signals();

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_HAZARD_H
#define ALLOCGATE_HAZARD_H

/*
 * What the hazard programs share. Nothing here allocates, so that a program's count is the calls that its own source
 * shows: output is write(2), numbers are formatted in place. C11 and C++20; glibc and musl.
 */

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

/* The compiler must believe that somebody reads `pointer`: a pair of malloc and free would be optimised away. */
static inline void* keep(void* pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}

/* Hides a size from the compiler, which warns of the absurd ones that some programs ask for. */
static inline size_t opaque(size_t size) {
  __asm__ volatile("" : "+r"(size));
  return size;
}

static inline void say(const char* text) {
  ssize_t written = write(STDOUT_FILENO, text, strlen(text));
  (void)written;
}

static inline void say_number(const char* label, long value) {
  char digits[24];
  char* first = digits + sizeof digits;
  unsigned long rest = value < 0 ? 0UL - (unsigned long)value : (unsigned long)value;
  *--first = '\0';
  *--first = '\n';
  do {
    *--first = (char)('0' + rest % 10);
    rest /= 10;
  } while (rest != 0);
  if (value < 0) {
    *--first = '-';
  }
  say(label);
  say(": ");
  say(first);
}

/* A program's own check of itself; what fails is part of the output that is compared with the bare run. */
static inline void require(int holds, const char* what) {
  if (!holds) {
    say("failed: ");
    say(what);
    say("\n");
    _exit(99);
  }
}

/* The program's first argument, 0 without one. */
static inline unsigned long argument(int argc, char** argv) {
  return argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
}

static inline void allocate_and_free(unsigned long times) {
  for (unsigned long i = 0; i < times; ++i) {
    free(keep(malloc(24)));
  }
}

static inline void allocate_and_leak(unsigned long times) {
  for (unsigned long i = 0; i < times; ++i) {
    keep(malloc(24));
  }
}

#endif /* ALLOCGATE_HAZARD_H */

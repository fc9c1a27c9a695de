/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/*
 * Asks for 500 blocks of 4000 bytes, each from another stack, under a limit of memory; writes how many it got. With a
 * `count` the limit is the program's own: so many KiB more than what it has then.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "probe.h"

enum { k_blocks = 500, k_size = 4000, k_page = 4096, k_kib = 1024 };

static long g_successes;

static void allocate_deeper(long blocks) {
  g_successes += used(malloc(k_size)) != NULL;
  if (blocks > 1) {
    allocate_deeper(blocks - 1);
  }
  __asm__ volatile("");
}

static int limit_address_space(long kib) {
  char text[128] = "";
  const int file = open("/proc/self/statm", O_RDONLY);
  struct rlimit limit;
  if (file < 0 || read(file, text, sizeof(text) - 1) <= 0 || close(file) != 0) {
    return 0;
  }
  limit.rlim_cur = limit.rlim_max = (rlim_t)(parsed_number(text) * k_page + kib * k_kib);
  return setrlimit(RLIMIT_AS, &limit) == 0;
}

static int write_successes(void) {
  char text[] = "000\n";
  size_t digit;
  for (digit = 3; digit-- > 0; g_successes /= 10) {
    text[digit] = (char)('0' + g_successes % 10);
  }
  return write(1, text, sizeof(text) - 1) < 0;
}

static int address_space(long kib) {
  HOLDS(kib == 0 || limit_address_space(kib));
  allocate_deeper(k_blocks);
  return write_successes();
}

static const struct probe_case k_cases[] = {{"address_space", address_space}};

PROBE_MAIN(k_cases)

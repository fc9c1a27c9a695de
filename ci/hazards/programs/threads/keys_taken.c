// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program takes every thread-specific key before it starts threads
// elsewhere: the hooks cannot make their key and count nothing, or the program gets one key fewer
// proof: 8 x N pairs; the number of keys is part of the output, so that a key that the hooks took is seen
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=8000 deallocations=8000 exit=0
#include "../hazard_threads.h"

static void* body(void* times) {
  allocate_and_free(*(unsigned long*)times);
  return NULL;
}

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  pthread_key_t key;
  long keys = 0;
  while (pthread_key_create(&key, NULL) == 0) {
    ++keys;
  }
  say_number("keys", keys);
  run_threads(8, body, &times);
  return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/* Plain C, optimised: 100 blocks by plain_site, called by qsort. */
#include <stdlib.h>

__attribute__((noinline)) void plain_site(void) {
  void* block = malloc(24);
  __asm__ volatile("" : : "r"(block) : "memory");
  free(block);
}

static int g_left = 100;

__attribute__((noinline)) int plain_order(const void* one, const void* other) {
  if (g_left > 0) {
    --g_left;
    plain_site();
  }
  return *(const int*)one - *(const int*)other;
}

int main(void) {
  int numbers[100];
  for (int i = 0; i < 100; ++i) {
    numbers[i] = i * 7919 % 100;
  }
  qsort(numbers, 100, sizeof(numbers[0]), plain_order);
  return g_left;
}

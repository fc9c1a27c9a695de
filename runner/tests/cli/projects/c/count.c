/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* A plain C program: as many rounds as its argument says, one allocation each, two where PLANTED is defined. */
#include <stdlib.h>

int main(int argc, char** argv) {
  const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  for (long i = 0; i < rounds; ++i) {
    void* volatile block = malloc(24);
    free(block);
#ifdef PLANTED
    block = malloc(24);
    free(block);
#endif
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that prints its environment
// elsewhere: the hooks change or remove variables that the program sees
// proof: what is printed must be the bare run's, but for the variables that the measurement needs
// runs: glibc musl
// expect: allocations=0 exit=0
#include "../hazard.h"

extern char** environ;

int main(void) {
  for (char** entry = environ; *entry != NULL; ++entry) {
    if (strncmp(*entry, "ALLOCGATE_", 10) != 0 && strncmp(*entry, "LD_PRELOAD=", 11) != 0) {
      say(*entry);
      say("\n");
    }
  }
  return 0;
}

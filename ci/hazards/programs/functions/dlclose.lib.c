// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of functions_dlclose.
#include "../hazard.h"

int hazard_work(unsigned long times);

int hazard_work(unsigned long times) {
  allocate_and_free(times);
  return 0;
}

__attribute__((constructor)) static void at_load(void) {
  allocate_and_free(2);
}

__attribute__((destructor)) static void at_unload(void) {
  allocate_and_free(3);
}

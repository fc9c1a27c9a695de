// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of start_library_constructor.
#include "../hazard.h"

int hazard_library_constructor_ran(void);

static int g_ran;

int hazard_library_constructor_ran(void) {
  return g_ran;
}

__attribute__((constructor(101))) static void at_start(void) {
  allocate_and_leak(3);
  g_ran = 1;
}

__attribute__((destructor)) static void at_end(void) {
  allocate_and_leak(4);
}

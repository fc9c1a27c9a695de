// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of functions_deepbind.
#include "../hazard.h"

int hazard_work(unsigned long times);

int hazard_work(unsigned long times) {
  allocate_and_free(times);
  return 0;
}

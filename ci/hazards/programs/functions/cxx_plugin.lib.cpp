// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library of functions_cxx_plugin.
#include "../hazard.h"

#include <new>

extern "C" int hazard_work(unsigned long times);

extern "C" int hazard_work(unsigned long times) {
  int caught = 0;
  for (unsigned long i = 0; i < times; ++i) {
    operator delete(keep(operator new(40)));
    operator delete[](keep(operator new[](40)));
  }
  for (unsigned long i = 0; i <= times; ++i) {
    try {
      throw i;
    } catch (unsigned long) {
      ++caught;
    }
  }
  return caught;
}

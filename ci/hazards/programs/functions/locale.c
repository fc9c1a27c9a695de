// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: locales, whose data the C library loads into blocks of its own
// elsewhere: what is freed at the end by the library's own clean-up is counted in one run and not in the next
// proof: N changes to C.UTF-8 and back, new and freed locales: valgrind's number is right
// runs: glibc
// needs: valgrind
// argument: 100
// expect valgrind(100): allocations deallocations allocated_bytes
#include "../hazard.h"

#include <locale.h>

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    require(setlocale(LC_ALL, "C.UTF-8") != NULL && setlocale(LC_ALL, "C") != NULL, "setlocale");
    locale_t locale = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
    require(locale != (locale_t)0, "newlocale");
    freelocale(locale);
  }
  return 0;
}

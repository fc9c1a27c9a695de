// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program with its own rounding mode and its own exception flags
// elsewhere: the hooks compute in floating point, or change the control word
// proof: N rounds of malloc, calloc, realloc, free (3 allocations, 3 deallocations) in each of 4 rounding modes
// runs: glibc mimalloc musl
// links: -lm
// argument: 1000
// expect: allocations=12000 deallocations=12000 reallocations=4000 exit=0
#include "../hazard.h"

#include <fenv.h>

int main(int argc, char** argv) {
  static const int k_modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  unsigned long times = argument(argc, argv);
  for (unsigned mode = 0; mode < 4; ++mode) {
    fesetround(k_modes[mode]);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_UNDERFLOW);
    for (unsigned long i = 0; i < times; ++i) {
      free(keep(calloc(3, 7)));
      free(keep(realloc(keep(malloc(24)), 100 + i)));
    }
    require(fegetround() == k_modes[mode], "the rounding mode is as it was");
    require(fetestexcept(FE_ALL_EXCEPT) == FE_UNDERFLOW, "the exception flags are as they were");
  }
  say("done\n");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that is linked statically: the loader, which would bring the hooks, is not used
// elsewhere: 0 is reported
// proof: nothing can be preloaded
// runs: glibc
// links: -static
// argument: 1000
// expect blind: is static
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}

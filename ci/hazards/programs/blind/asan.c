// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program with the address sanitizer, whose runtime brings an allocator
// elsewhere: 0 is reported, or the program does not start and its message is all there is
// proof: the runtime's malloc comes first
// runs: glibc
// links: -fsanitize=address
// argument: 1000
// expect blind: anitizer
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}

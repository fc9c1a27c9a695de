// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the stack overflows
// elsewhere: a handler of the hooks runs on the same stack: the end is another one
// proof: N blocks before
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=0 signal=11
// expect ends: signalled
#include "../hazard.h"

static int descend(int level) {
  volatile char frame[1024];
  frame[0] = (char)level;
  return level < 0 ? 0 : descend(level + 1) + frame[0];
}

int main(int argc, char** argv) {
  allocate_and_leak(argument(argc, argv));
  return descend(0);
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program limits its address space to what it has, and a request fails
// elsewhere: the hooks' own memory no longer fits: the program dies, or fails earlier than it would
// proof: N pairs before and after; one request of 1 GiB that fails and leaves ENOMEM
// runs: glibc musl
// argument: 1000
// expect: allocations=2000 deallocations=2000 failed_allocations=1 exit=0
#include "../hazard_processes.h"

#include <sys/resource.h>

int main(int argc, char** argv) {
  unsigned long times = argument(argc, argv);
  struct rlimit limit = {64 << 20, 64 << 20};
  allocate_and_free(times);
  require(setrlimit(RLIMIT_AS, &limit) == 0, "setrlimit");
  errno = 0;
  say(keep(malloc(opaque(1 << 30))) == NULL ? "refused\n" : "granted\n");
  say_number("errno", errno);
  allocate_and_free(times);
  return 0;
}

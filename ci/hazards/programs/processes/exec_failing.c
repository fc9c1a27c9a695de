// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: an exec that fails, after which the program goes on
// elsewhere: the process is taken for replaced and what follows is not counted
// proof: N pairs before, N after
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=2000 deallocations=2000 exit=0
// expect ends: exited
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  char* const arguments[] = {argv[0], NULL};
  allocate_and_free(argument(argc, argv));
  say_number("exec", execv("/nonexistent/program", arguments));
  say_number("errno", errno);
  allocate_and_free(argument(argc, argv));
  return 0;
}

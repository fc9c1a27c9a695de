// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: _Fork'ed children that allocate nothing: one ends, one becomes a counted program, one cannot
// elsewhere: no handler ran in them: they appear with their parent's counts, or end their parent's entry
// proof: the parent makes 1000 pairs, the new image 7; who counted nothing has no entry
// runs: glibc
// expect: allocations=1007 deallocations=1007 exit=0
// expect first: allocations=1000 deallocations=1000
// expect children(1): allocations=7 deallocations=7
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(500);
  for (int i = 0; i < 3; ++i) {
    pid_t child = _Fork();
    if (child == 0) {
      if (i == 1) {
        execl(argv[0], argv[0], "0", "child", (char*)NULL);
      }
      if (i == 2) {
        execl("/nowhere/program", "nowhere", (char*)NULL);
      }
      _exit(i);
    }
    wait_for_exit(child, i == 1 ? 0 : i);
  }
  allocate_and_free(500);
  return 0;
}

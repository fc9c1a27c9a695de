// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a grandchild that outlives its parent
// elsewhere: what an orphan counts is lost
// proof: the grandchild makes N pairs, after its parent has ended
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// expect first: allocations=0
// expect last: allocations=1000
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  int done[2];
  char byte = 0;
  require(pipe(done) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) {
    pid_t middle = getpid();
    if (fork() == 0) {
      while (getppid() == middle) {
        usleep(1000);
      }
      allocate_and_free(argument(argc, argv));
      _exit(write(done[1], "x", 1) == 1 ? 0 : 1);
    }
    _exit(0);
  }
  wait_for_exit(child, 0);
  close(done[1]);
  require(read(done[0], &byte, 1) == 1, "the grandchild is done");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: daemon(), which forks, leaves the session, changes the folder and gives up the terminal
// elsewhere: the daemon's counts are lost, or a summary goes to the terminal that it gave up
// proof: the daemon makes N pairs before it lets its starter end
// runs: glibc mimalloc musl
// argument: 1000
// expect: allocations=1000 deallocations=1000 exit=0
// expect last: allocations=1000
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  int done[2];
  char byte = 0;
  require(pipe(done) == 0, "pipe");
  pid_t child = fork();
  if (child == 0) {
    require(daemon(0, 0) == 0, "daemon");
    allocate_and_free(argument(argc, argv));
    _exit(write(done[1], "x", 1) == 1 ? 0 : 1);
  }
  wait_for_exit(child, 0);
  close(done[1]);
  require(read(done[0], &byte, 1) == 1, "the daemon is done");
  return 0;
}

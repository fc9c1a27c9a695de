// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a child whose root is a folder without the hooks starts a program there
// elsewhere: the loader goes on without what it cannot preload: the program's 0 is taken for its count
// proof: the parent makes 1000 pairs; the child's 7 are counted or it is named as not counted
// runs: glibc
// needs: root
// command: sh -c 'mkdir root && cp -L --parents {program} /lib*/ld-linux* /lib/*-linux-gnu/libc.so.6 root &&
//   exec {program} {n}'
// expect: allocations=1007 exit=0
// or note: processes_exec_after_chroot
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(1000);
  pid_t child = fork();
  if (child == 0) {
    require(chroot("root") == 0 && chdir("/") == 0, "chroot");
    // The loader writes there what it could not preload.
    close(STDERR_FILENO);
    execl(argv[0], argv[0], "0", "child", (char*)NULL);
    _exit(98);
  }
  wait_for_exit(child, 0);
  say("done\n");
  return 0;
}

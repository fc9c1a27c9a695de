// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a child that becomes another user and starts a program, which may not open the record
// elsewhere: its counts are lost in silence
// proof: the parent makes 1000 pairs; the new image's 7 are counted or it is named as not counted
// runs: glibc musl
// needs: root
// expect: allocations=1007 exit=0
// or note: processes_other_user_exec
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    return 0;
  }
  allocate_and_free(1000);
  pid_t child = fork();
  if (child == 0) {
    require(setgid(65534) == 0 && setuid(65534) == 0, "became nobody");
    execl("/proc/self/exe", argv[0], "0", "child", (char*)NULL);
    _exit(98);
  }
  wait_for_exit(child, 0);
  return 0;
}

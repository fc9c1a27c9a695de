// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: an auditing library (LD_AUDIT) with a libc and a heap of its own is loaded before everything else
// elsewhere: the auditor's allocations are counted as the program's, or the hooks bind to the auditor's libc
// proof: N pairs in main; the auditor's own 5 blocks come from another namespace's malloc
// runs: glibc mimalloc
// command: env LD_AUDIT={library} {program} {n}
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
// expect process(start_audit): exit=0
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say("audited\n");
  return 0;
}

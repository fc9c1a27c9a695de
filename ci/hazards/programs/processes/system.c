// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: system(), which starts a shell that starts the program
// elsewhere: signals and waiting are disturbed, or the grandchild is lost
// proof: the parent makes N pairs, the program under the shell 7; the shell's own are the same in both runs
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
// expect first: allocations=1000 deallocations=1000
// expect last: allocations=7 deallocations=7 exit=0
#include "../hazard_processes.h"

int main(int argc, char** argv) {
  char line[4096] = "";
  if (is_child_role(argc, argv)) {
    allocate_and_free(7);
    say("in the child\n");
    return 0;
  }
  allocate_and_free(argument(argc, argv));
  require(strlen(argv[0]) < sizeof line - 32, "a short path");
  strcat(strcat(strcat(line, "'"), argv[0]), "' 0 child; true");
  say_number("status", system(line));
  return 0;
}

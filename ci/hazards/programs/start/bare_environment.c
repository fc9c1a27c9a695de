// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: `env -i` by hand: an environment with nothing but the preload and the name of the summary
// elsewhere: hooks that need a variable of their own, PATH or HOME crash, or count and say nothing
// proof: N pairs in the image that has that environment; the one before it ends without a summary
// runs: by-hand
// argument: 1000
// expect: allocations=1000 deallocations=1000 allocated_bytes=24000 exit=0
#include "../hazard_processes.h"

static char* variable(char* name) {
  size_t length = strlen(name);
  for (char** entry = environ; *entry != NULL; ++entry) {
    if (strncmp(*entry, name, length) == 0) {
      return *entry;
    }
  }
  return NULL;
}

int main(int argc, char** argv) {
  if (!is_child_role(argc, argv)) {
    char* words[] = {argv[0], argv[1], "child", NULL};
    char* kept[] = {variable("LD_PRELOAD="), variable("ALLOCGATE_OUTPUT="), NULL};
    execve(argv[0], words, kept);
    return 98;
  }
  require(getenv("PATH") == NULL && getenv("HOME") == NULL, "the environment is bare");
  allocate_and_free(argument(argc, argv));
  say("done\n");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the program's first dlerror, and the one after its own failed dlsym
// elsewhere: the hooks look for optional functions with dlsym, whose failure the program then reads as its own
// proof: N pairs; the messages are part of the output
// runs: glibc mimalloc musl
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
#include "../hazard.h"

#include <dlfcn.h>

static void say_error(void) {
  const char* error = dlerror();
  say(error == NULL ? "no error" : error);
  say("\n");
}

int main(int argc, char** argv) {
  say_error();
  allocate_and_free(argument(argc, argv));
  say_error();
  require(dlsym(RTLD_DEFAULT, "no_such_symbol_anywhere") == NULL, "the symbol is unknown");
  allocate_and_free(1);
  say_error();
  say_error();
  return 0;
}

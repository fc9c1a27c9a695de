// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a program that gets another user's rights by its file's mode: the loader then drops what is to be preloaded
// elsewhere: 0 is reported
// proof: the last image runs without the hooks
// runs: glibc
// needs: root, setpriv
// command: sh -c 'cp {program} blind_setuid && chmod 4755 blind_setuid &&
//   exec setpriv --reuid 65534 ./blind_setuid {n}'
// argument: 1000
// expect note: blind_setuid
#include "../hazard.h"

int main(int argc, char** argv) {
  allocate_and_free(argument(argc, argv));
  say_number("effective user", (long)geteuid());
  return 0;
}

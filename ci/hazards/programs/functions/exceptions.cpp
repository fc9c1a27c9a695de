// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: exceptions of the program's own, thrown from deep below
// elsewhere: the runtime's block for the exception is missed, or the unwinder stops in the hooks
// proof: each throw is one block of the runtime (1 pair); the string in it, too long for its own room, one more
// runs: glibc mimalloc
// argument: 1000
// expect difference(1000): allocations=2000 deallocations=2000 exit=0
#include "../hazard.h"

#include <string>

namespace {

[[gnu::noinline]] void descend(int level) {
  if (level == 0) {
    throw std::string(100, 'x');
  }
  descend(level - 1);
  keep(&level);
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t caught = 0;
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    try {
      descend(20);
    } catch (const std::string& text) {
      caught += text.size();
    }
  }
  say_number("caught", static_cast<long>(caught));
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the executable's operator new takes memory from a pool of its own and never calls malloc
// elsewhere: 0 is reported without a word
// proof: no event reaches the hooks: what they could not count is named, with the executable
// runs: glibc
// argument: 1000
// expect note: functions_own_new_pool
#include "../hazard.h"

#include <new>

namespace {

alignas(16) char g_pool[1 << 16];
std::size_t g_used;

}  // namespace

void* operator new(std::size_t size) {
  if (size > sizeof g_pool / 2) {
    throw std::bad_alloc();
  }
  g_used = (g_used + size + 15) / 16 * 16 % (sizeof g_pool / 2);
  return g_pool + g_used;
}

void operator delete(void* block) noexcept {
  keep(block);
}

void operator delete(void* block, std::size_t) noexcept {
  keep(block);
}

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    operator delete(keep(operator new(40)));
  }
  say("done\n");
  return 0;
}

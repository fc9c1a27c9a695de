// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: operator new and delete in every form
// elsewhere: a form is missed, or counted at operator new and again at the malloc under it
// proof: per round new, new[], nothrow of both, over-aligned of both, over-aligned nothrow of both: 8 pairs of 128
//   bytes; placement allocates nothing; deletes are plain, sized, aligned, and sized and aligned
// runs: glibc mimalloc
// argument: 1000
// expect difference(1000): allocations=8000 deallocations=8000 allocated_bytes=1024000 live_bytes=0 exit=0
#include "../hazard.h"

#include <cstdint>
#include <new>

namespace {

constexpr std::size_t k_size = 128;
constexpr std::align_val_t k_alignment{128};

void* check(void* block, std::size_t alignment) {
  require(block != nullptr && reinterpret_cast<std::uintptr_t>(block) % alignment == 0, "the block is aligned");
  return keep(block);
}

void round_of_calls() {
  operator delete(check(operator new(k_size), 16));
  operator delete[](check(operator new[](k_size), 16), k_size);
  operator delete(check(operator new(k_size, std::nothrow), 16), std::nothrow);
  operator delete[](check(operator new[](k_size, std::nothrow), 16), std::nothrow);
  operator delete(check(operator new(k_size, k_alignment), 128), k_alignment);
  operator delete[](check(operator new[](k_size, k_alignment), 128), k_size, k_alignment);
  operator delete(check(operator new(k_size, k_alignment, std::nothrow), 128), k_alignment, std::nothrow);
  operator delete[](check(operator new[](k_size, k_alignment, std::nothrow), 128), k_alignment, std::nothrow);
  alignas(16) char place[k_size];
  keep(new (place) char[k_size]);
  operator delete(nullptr);
}

}  // namespace

int main(int argc, char** argv) {
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    round_of_calls();
  }
  return 0;
}

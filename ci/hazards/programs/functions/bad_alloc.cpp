// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: bad_alloc unwinds through the hooks, again and again, in each form of new
// elsewhere: a guard stays set after the first one: nothing is counted from there on
// proof: per round 4 throwing forms fail (4 failures, 4 exceptions of one block each), 2 nothrow forms fail: the
//   runtime's nothrow forms call the throwing ones and swallow the exception (2 failures, 2 more); then 10 pairs
// runs: glibc
// argument: 100
// expect difference(100): allocations=1600 deallocations=1600 failed_allocations=600 exit=0
#include "../hazard.h"

#include <new>

namespace {

template <typename Request>
void refuse(Request request) {
  try {
    keep(request());
  } catch (const std::bad_alloc&) {
    return;
  }
  require(false, "bad_alloc was thrown");
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::align_val_t k_alignment{64};
  const std::size_t k_size = opaque(PTRDIFF_MAX);
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    refuse([=] { return operator new(k_size); });
    refuse([=] { return operator new[](k_size); });
    refuse([=] { return operator new(k_size, k_alignment); });
    refuse([=] { return operator new[](k_size, k_alignment); });
    require(operator new(k_size, std::nothrow) == nullptr, "nothrow new gives nothing");
    require(operator new[](k_size, std::nothrow) == nullptr, "nothrow new[] gives nothing");
    allocate_and_free(10);
  }
  say("done\n");
  return 0;
}

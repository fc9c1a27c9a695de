// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: a new_handler that allocates, gives up a reserve, and in the end throws
// elsewhere: what the handler allocates is not counted, since a guard is set around operator new
// proof: per round the handler is called 3 times and makes 2 pairs each time (6), then throws its own exception;
//   operator new's malloc fails 3 times; the exception is one block of the runtime (1 pair)
// runs: glibc
// argument: 100
// expect difference(100): allocations=700 deallocations=700 failed_allocations=300 exit=0
#include "../hazard.h"

#include <new>

namespace {

struct GaveUp {};

int g_calls;

void handler() {
  allocate_and_free(2);
  if (++g_calls % 3 == 0) {
    throw GaveUp{};
  }
}

}  // namespace

int main(int argc, char** argv) {
  int thrown = 0;
  std::set_new_handler(handler);
  for (unsigned long left = argument(argc, argv); left > 0; --left) {
    try {
      keep(operator new(opaque(PTRDIFF_MAX)));
    } catch (const GaveUp&) {
      ++thrown;
    }
  }
  say_number("thrown", thrown);
  return 0;
}

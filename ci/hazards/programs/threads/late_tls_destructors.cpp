// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: thread_local objects of C++ whose destructors allocate at the thread's end
// elsewhere: the hooks' thread-local state is gone by then: events are lost, or the thread crashes
// proof: 100 threads, each destructor makes N pairs; what registers the object is the same in both runs
// runs: glibc mimalloc
// argument: 10
// expect difference(10): allocations=1000 deallocations=1000 exit=0
#include "../hazard_threads.h"

namespace {

unsigned long g_times;

struct Late {
  bool m_touched = false;
  ~Late() { allocate_and_free(g_times); }
};

thread_local Late t_late;

void* body(void* unused) {
  t_late.m_touched = true;
  return unused;
}

}  // namespace

int main(int argc, char** argv) {
  g_times = argument(argc, argv);
  for (int i = 0; i < 100; ++i) {
    run_threads(1, body, nullptr);
  }
  say("done\n");
  return 0;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// hazard: the first thread ends before the others (pthread_exit in main)
// elsewhere: the process is taken for ended: what the others count is lost
// proof: the second thread makes N pairs after the first has ended
// runs: glibc mimalloc
// argument: 1000
// expect difference(1000): allocations=1000 deallocations=1000 exit=0
// expect ends: exited
#include "../hazard_threads.h"

static unsigned long g_times;
static pthread_t g_first;

static void* body(void* unused) {
  pthread_join(g_first, NULL);
  allocate_and_free(g_times);
  return unused;
}

int main(int argc, char** argv) {
  pthread_t thread;
  g_times = argument(argc, argv);
  g_first = pthread_self();
  start_thread(&thread, body, NULL);
  pthread_detach(thread);
  pthread_exit(NULL);
}

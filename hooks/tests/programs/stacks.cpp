// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Allocates from known stacks; stacks_test.cpp says what each case must leave in the record.
#include <allocgate/hooks.h>
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"
#include "stack_probe.hpp"

ALLOCGATE_FRAME void in_every_way();

namespace {

char* g_program = nullptr;

template <typename Work>
bool in_child(Work work) {
  const pid_t child = fork();
  if (child == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

ALLOCGATE_FRAME void middle(long count) {
  site(count);
  keep();
}
ALLOCGATE_FRAME void outer_one(long count) {
  middle(count);
  keep();
}
ALLOCGATE_FRAME void outer_two(long count) {
  middle(count);
  keep();
}

ALLOCGATE_FRAME int case_plain(long count) {
  outer_one(count);
  outer_two(count / 2);
  outer_one(count);
  return 0;
}

ALLOCGATE_FRAME int case_every_way(long) {
  in_every_way();
  return 0;
}

ALLOCGATE_FRAME int case_through(long count) {
  for (int i = 0; i < 2; ++i) {
    through_realigned(site, count);
    through_alloca(site, count);
    through_large_frame(site, count);
    through_variadic(site, count - 3, 3);
    through_catch(site, count);
    through_untabled_code(site, count);
    through_generated_code(site, count);
    through_coroutine(site, count);
    through_small_thread(site, count);
    through_signal(site, count);
  }
  return 0;
}

ALLOCGATE_FRAME int case_fork(long count) {
  outer_one(10);
  HOLDS(in_child([&] {
    outer_one(count);
    HOLDS(in_child([&] { return outer_two(count + 1), 0; }));
    return 0;
  }));
  outer_two(3);
  return 0;
}

ALLOCGATE_FRAME int case_many_forks(long count) {
  outer_one(count);
  for (int i = 0; i < 100; ++i) {
    HOLDS(in_child([&] { outer_one(count); }));
  }
  return 0;
}

ALLOCGATE_FRAME int case_exec(long count) {
  outer_one(count);
  char* words[] = {g_program, const_cast<char*>("plain"), const_cast<char*>("100"), nullptr};
  execv(g_program, words);
  return 1;
}

ALLOCGATE_FRAME int case_killed(long count) {
  outer_one(count);
  kill(getpid(), SIGKILL);
  return 1;
}

ALLOCGATE_FRAME int case_ended(long count) {
  outer_one(count);
  _exit(0);
}

ALLOCGATE_FRAME long allocate_recursively(long depth) {
  long sum = depth == 0 ? (site(1), 0) : allocate_recursively(depth - 1);
  keep(&sum);
  return sum + 1;
}

ALLOCGATE_FRAME int case_deep(long depth) {
  HOLDS(allocate_recursively(depth) == depth + 1);
  HOLDS(allocate_recursively(depth) == depth + 1);
  HOLDS(allocate_recursively(900) == 901);
  return 0;
}

/* As many stacks as there are words of `bits` bits. */
ALLOCGATE_FRAME void left(long bits);
ALLOCGATE_FRAME void right(long bits);
ALLOCGATE_FRAME void branch(long bits) {
  if (bits == 0) {
    site(1);
  } else {
    left(bits - 1);
    right(bits - 1);
  }
  keep();
}
ALLOCGATE_FRAME void left(long bits) {
  branch(bits);
  keep();
}
ALLOCGATE_FRAME void right(long bits) {
  branch(bits);
  keep();
}

ALLOCGATE_FRAME int case_many(long bits) {
  branch(bits);
  branch(bits);
  return 0;
}

ALLOCGATE_FRAME void* thread_of_many(void*) {
  outer_two(3);
  return nullptr;
}

ALLOCGATE_FRAME int case_threads(long count) {
  constexpr long k_at_once = 100;
  pthread_t threads[k_at_once];
  for (long done = 0; done < count; done += k_at_once) {
    for (pthread_t& thread : threads) {
      HOLDS(pthread_create(&thread, nullptr, thread_of_many, nullptr) == 0);
    }
    for (const pthread_t thread : threads) {
      HOLDS(pthread_join(thread, nullptr) == 0);
    }
  }
  return 0;
}

namespace {

/* Loads a library, calls its site, unloads it; where the site was. */
void* call_library_site(const char* path, long count) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void* function = library != nullptr ? dlsym(library, "library_site") : nullptr;
  if (function != nullptr) {
    reinterpret_cast<void (*)(long)>(function)(count);
    dlclose(library);
  }
  return function;
}

}  // namespace

/* Exit code 99: the loader did not use the place again. */
ALLOCGATE_FRAME int case_twins(long count) {
  void* const first = call_library_site(twin_a, 0);
  HOLDS(first != nullptr);
  const bool is_same_place = call_library_site(twin_a, count) == first && call_library_site(twin_b, count) == first &&
                             call_library_site(twin_a, count / 2) == first;
  return is_same_place ? 0 : 99;
}

ALLOCGATE_FRAME int case_untabled_library(long count) {
  void* library = dlopen(untabled, RTLD_NOW | RTLD_LOCAL);
  HOLDS(library != nullptr);
  void* function = dlsym(library, "library_calls");
  HOLDS(function != nullptr);
  reinterpret_cast<void (*)(Callback, long)>(function)(outer_one, count);
  return 0;
}

namespace {

volatile bool g_goes_on = true;

void* load_for_ever(void*) {
  while (g_goes_on) {
    call_library_site(twin_a, 3);
    call_library_site(twin_b, 3);
  }
  return nullptr;
}

}  // namespace

/* Children of a program whose other thread is in the loader, or in the recorder's work for it. */
ALLOCGATE_FRAME int case_fork_under_load(long count) {
  pthread_t thread;
  HOLDS(pthread_create(&thread, nullptr, load_for_ever, nullptr) == 0);
  for (int i = 0; i < 200; ++i) {
    HOLDS(in_child([&] {
      outer_one(count);
      through_generated_code(site, count);
    }));
  }
  g_goes_on = false;
  HOLDS(pthread_join(thread, nullptr) == 0);
  return 0;
}

namespace {

volatile long g_signals = 0;

/* Not the size that the interrupted loop uses: the two never meet in the allocator. */
void allocate_in_handler(int) {
  void* block = malloc(500);
  keep(block);
  free(block);
  g_signals = g_signals + 1;
}

}  // namespace

/* A timer interrupts the recorder itself. */
ALLOCGATE_FRAME int case_interrupted(long count) {
  outer_one(1);
  allocate_in_handler(0);
  g_signals = 0;
  struct sigaction action = {};
  action.sa_handler = allocate_in_handler;
  sigaction(SIGALRM, &action, nullptr);
  itimerval interval = {{0, 50}, {0, 50}};
  setitimer(ITIMER_REAL, &interval, nullptr);
  while (g_signals < count) {
    outer_one(7);
    outer_two(7);
  }
  interval = {};
  setitimer(ITIMER_REAL, &interval, nullptr);
  return 0;
}

ALLOCGATE_FRAME int case_windows(long count) {
  const allocgate_hooks_table* hooks = allocgate_hooks();
  HOLDS(hooks != nullptr);
  outer_one(count);
  hooks->resume_stacks();
  outer_two(count);
  hooks->pause_stacks();
  outer_one(count);
  return 0;
}

int main(int argc, char** argv) {
  static const probe_case cases[] = {
      {"plain", case_plain},
      {"every_way", case_every_way},
      {"through", case_through},
      {"fork", case_fork},
      {"many_forks", case_many_forks},
      {"exec", case_exec},
      {"killed", case_killed},
      {"ended", case_ended},
      {"deep", case_deep},
      {"many", case_many},
      {"threads", case_threads},
      {"twins", case_twins},
      {"untabled_library", case_untabled_library},
      {"fork_under_load", case_fork_under_load},
      {"interrupted", case_interrupted},
      {"windows", case_windows},
  };
  g_program = argv[0];
  return run_case(cases, sizeof(cases) / sizeof(cases[0]), argc, argv);
}

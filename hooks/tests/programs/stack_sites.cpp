// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Where the probe of call stacks allocates, and what it calls through on the way there.
#include <alloca.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "stack_probe.hpp"

ALLOCGATE_FRAME void site(long count) {
  for (long i = 0; i < count; ++i) {
    void* block = malloc(24);
    keep(block);
    free(block);
  }
}

ALLOCGATE_FRAME void through_realigned(Callback call, long count) {
  alignas(64) char aligned[128];
  keep(aligned);
  void* more = alloca(static_cast<size_t>(count) % 200 + 8);
  keep(more);
  call(count);
  keep(aligned);
}

ALLOCGATE_FRAME void through_alloca(Callback call, long count) {
  void* more = alloca(static_cast<size_t>(count) % 200 + 8);
  keep(more);
  call(count);
  keep(more);
}

ALLOCGATE_FRAME void through_large_frame(Callback call, long count) {
  char large[100000];
  keep(large);
  call(count);
  keep(large);
}

ALLOCGATE_FRAME void through_variadic(Callback call, long count, ...) {
  va_list arguments;
  va_start(arguments, count);
  call(count + va_arg(arguments, int));
  va_end(arguments);
}

ALLOCGATE_FRAME [[noreturn]] void throw_number() {
  throw 1;
}

ALLOCGATE_FRAME void through_catch(Callback call, long count) {
  try {
    throw_number();
  } catch (int number) {
    call(count - 1 + number);
  }
}

// No unwind table is made for it.
asm(R"(
  .text
  .globl through_untabled_code
  .type through_untabled_code, @function
through_untabled_code:
  subq $8, %rsp
  movq %rdi, %rax
  movq %rsi, %rdi
  call *%rax
  addq $8, %rsp
  ret
  .size through_untabled_code, . - through_untabled_code
)");

ALLOCGATE_FRAME void through_generated_code(Callback call, long count) {
  static const unsigned char code[] = {0x48, 0x83, 0xec, 0x08, 0x48, 0x89, 0xf8, 0x48, 0x89,
                                       0xf7, 0xff, 0xd0, 0x48, 0x83, 0xc4, 0x08, 0xc3};
  void* page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  memcpy(page, code, sizeof(code));
  mprotect(page, 4096, PROT_READ | PROT_EXEC);
  reinterpret_cast<void (*)(Callback, long)>(page)(call, count);
  keep(page);
}

namespace {

Callback g_call;
long g_count;

constexpr size_t k_small_stack = 16384;

}  // namespace

ALLOCGATE_FRAME void inside_coroutine() {
  g_call(g_count);
  keep();
}

ALLOCGATE_FRAME void through_coroutine(Callback call, long count) {
  g_call = call;
  g_count = count;
  ucontext_t here;
  ucontext_t there;
  void* stack = mmap(nullptr, k_small_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  getcontext(&there);
  there.uc_stack = {};
  there.uc_stack.ss_sp = stack;
  there.uc_stack.ss_size = k_small_stack;
  there.uc_link = &here;
  makecontext(&there, inside_coroutine, 0);
  swapcontext(&here, &there);
  munmap(stack, k_small_stack);
}

ALLOCGATE_FRAME void* inside_thread(void*) {
  g_call(g_count);
  keep();
  return nullptr;
}

ALLOCGATE_FRAME void through_small_thread(Callback call, long count) {
  g_call = call;
  g_count = count;
  void* stack = mmap(nullptr, k_small_stack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, k_small_stack);
  pthread_t thread;
  pthread_create(&thread, &attributes, inside_thread, nullptr);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

ALLOCGATE_FRAME void inside_handler(int) {
  g_call(g_count);
  keep();
}

ALLOCGATE_FRAME void through_signal(Callback call, long count) {
  g_call = call;
  g_count = count;
  static char stack[65536];
  stack_t alternate = {};
  alternate.ss_sp = stack;
  alternate.ss_size = sizeof(stack);
  sigaltstack(&alternate, nullptr);
  struct sigaction action = {};
  action.sa_handler = inside_handler;
  action.sa_flags = SA_ONSTACK;
  sigaction(SIGUSR1, &action, nullptr);
  raise(SIGUSR1);
  keep();
}

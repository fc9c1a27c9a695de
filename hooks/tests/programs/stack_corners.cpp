// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Allocates where a stack is hard to follow: in coroutines that others resume, in a handler behind each instruction of
// a function, in a child that has its parent's memory. stack_corners_test.cpp says what each case must leave.
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <coroutine>

#include "probe.h"
#include "stack_probe.hpp"

extern char** environ;

namespace {

char* g_program = nullptr;

struct Task {
  struct promise_type {
    Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    auto final_suspend() noexcept {
      struct Back {
        bool await_ready() noexcept { return false; }
        std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> ended) noexcept {
          return ended.promise().waiting;
        }
        void await_resume() noexcept {}
      };
      return Back{};
    }
    void return_void() {}
    void unhandled_exception() { abort(); }

    std::coroutine_handle<> waiting = std::noop_coroutine();
  };

  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle.promise().waiting = waiting;
    return handle;
  }
  void await_resume() {}

  std::coroutine_handle<promise_type> handle;
};

}  // namespace

[[gnu::noinline]] Task inner_coroutine(long count) {
  site(count);
  co_await std::suspend_always{};
  site(count + 1);
}

/* While it waits, `innermost` is what is to be resumed. */
[[gnu::noinline]] Task outer_coroutine(long count, void** innermost) {
  Task inner = inner_coroutine(count);
  *innermost = inner.handle.address();
  co_await inner;
  site(count + 2);
  inner.handle.destroy();
}

ALLOCGATE_FRAME void begin_coroutine(void* coroutine) {
  std::coroutine_handle<>::from_address(coroutine).resume();
  keep();
}
ALLOCGATE_FRAME void go_on_with_coroutine(void* coroutine) {
  std::coroutine_handle<>::from_address(coroutine).resume();
  keep();
}

ALLOCGATE_FRAME int case_coroutines(long count) {
  const Task alone = inner_coroutine(count);
  begin_coroutine(alone.handle.address());
  go_on_with_coroutine(alone.handle.address());
  HOLDS(alone.handle.done());
  alone.handle.destroy();
  void* innermost = nullptr;
  const Task outer = outer_coroutine(10 * count, &innermost);
  begin_coroutine(outer.handle.address());
  go_on_with_coroutine(innermost);
  HOLDS(outer.handle.done());
  outer.handle.destroy();
  return 0;
}

// From the return of the first to the second the processor traps behind each instruction. And a function whose frame is
// known by rbx, as the loader's are that realign the stack.
asm(R"(
.text
.type begin_steps, @function
begin_steps:
  .cfi_startproc
  pushfq
  .cfi_adjust_cfa_offset 8
  orq $0x100, (%rsp)
  popfq
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
.size begin_steps, . - begin_steps
.type end_steps, @function
end_steps:
  .cfi_startproc
  pushfq
  .cfi_adjust_cfa_offset 8
  andq $~0x100, (%rsp)
  popfq
  .cfi_adjust_cfa_offset -8
  ret
  .cfi_endproc
.size end_steps, . - end_steps
.type with_frame_of_rbx, @function
with_frame_of_rbx:
  .cfi_startproc
  push %rbx
  .cfi_def_cfa_offset 16
  .cfi_offset %rbx, -16
  mov %rsp, %rbx
  .cfi_def_cfa_register %rbx
  and $-64, %rsp
  sub $128, %rsp
  push %rbp
  xor %ebp, %ebp
  pop %rbp
  mov %rbx, %rsp
  .cfi_def_cfa_register %rsp
  pop %rbx
  .cfi_def_cfa_offset 8
  ret
  .cfi_endproc
.size with_frame_of_rbx, . - with_frame_of_rbx
)");
extern "C" void begin_steps();
extern "C" void end_steps();
extern "C" void with_frame_of_rbx(Callback, long);

/* Not the size that site() asks for. */
ALLOCGATE_FRAME void allocate_at_step(int) {
  void* block = malloc(500);
  keep(block);
  free(block);
}

ALLOCGATE_FRAME void no_call(long) {
  keep();
}

ALLOCGATE_FRAME void case_steps_of(void (*function)(Callback, long), long count) {
  begin_steps();
  function(no_call, count);
  end_steps();
  keep();
}

ALLOCGATE_FRAME int case_steps(long count) {
  struct sigaction action = {};
  action.sa_handler = allocate_at_step;
  HOLDS(sigaction(SIGTRAP, &action, nullptr) == 0);
  for (; count > 0; --count) {
    case_steps_of(through_realigned, count);
    case_steps_of(through_alloca, count);
    case_steps_of(through_large_frame, count);
    case_steps_of(with_frame_of_rbx, count);
  }
  return 0;
}

ALLOCGATE_FRAME void in_parent(long count) {
  site(count);
  keep();
}
ALLOCGATE_FRAME void in_vforked_child(long count) {
  site(count);
  keep();
}

ALLOCGATE_FRAME int case_new_image(long count) {
  in_parent(count);
  return 0;
}

namespace {

char* g_words[] = {nullptr, const_cast<char*>("new_image"), const_cast<char*>("100"), nullptr};

bool has_ended_well(pid_t child) {
  int status = 0;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

ALLOCGATE_FRAME pid_t start_by_vfork(long count) {
  const pid_t child = vfork();
  if (child == 0) {
    in_vforked_child(count);
    execv(g_program, g_words);
    _exit(99);
  }
  return child;
}

ALLOCGATE_FRAME int case_vfork_exec(long count) {
  in_parent(count);
  for (int i = 0; i < 3; ++i) {
    HOLDS(has_ended_well(start_by_vfork(7)));
    in_parent(5);
  }
  return 0;
}

ALLOCGATE_FRAME int case_spawn(long count) {
  in_parent(count);
  pid_t child = 0;
  HOLDS(posix_spawn(&child, g_program, nullptr, nullptr, g_words, environ) == 0);
  HOLDS(has_ended_well(child));
  in_parent(5);
  return 0;
}

int main(int argc, char** argv) {
  static const probe_case cases[] = {
      {"coroutines", case_coroutines}, {"steps", case_steps}, {"new_image", case_new_image},
      {"vfork_exec", case_vfork_exec}, {"spawn", case_spawn},
  };
  g_program = argv[0];
  g_words[0] = argv[0];
  return run_case(cases, sizeof(cases) / sizeof(cases[0]), argc, argv);
}

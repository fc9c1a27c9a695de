// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include <alloca.h>
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <functional>
#include <map>
#include <regex>
#include <stdexcept>
#include <string>
#include <vector>

#include "random_stacks.hpp"

#define APART [[gnu::noinline]] static

namespace {

thread_local uint64_t t_random = 88172645463325252;
thread_local jmp_buf t_jump;
thread_local bool t_may_jump = false;
thread_local bool t_in_handler = false;
thread_local int t_once = 0;

}  // namespace

void seed_random(uint64_t seed) {
  t_random = seed;
  t_may_jump = false;
}

unsigned random_below(unsigned limit) {
  t_random ^= t_random << 13;
  t_random ^= t_random >> 7;
  t_random ^= t_random << 17;
  return static_cast<unsigned>(t_random >> 20) % limit;
}

[[gnu::noinline]] void allocate() {
  void* block = malloc(1 + random_below(64));
  hide(block);
  free(block);
}

namespace {

class Base {
public:
  virtual ~Base() = default;
  virtual void call(int depth) = 0;
};

class Plain : public Base {
public:
  [[gnu::noinline]] void call(int depth) override {
    go_on(depth - 1);
    allocate();
  }
};

class WithText : public Base {
public:
  [[gnu::noinline]] void call(int depth) override {
    go_on(depth - 1);
    m_text += 'y';
  }

private:
  std::string m_text = std::string(40, 'x');
};

APART void call_virtually(int depth) {
  Plain plain;
  WithText text;
  Base* base = random_below(2) == 0 ? static_cast<Base*>(&plain) : &text;
  hide(base);
  base->call(depth);
}

APART int pass_variadically(int depth, ...) {
  va_list arguments;
  va_start(arguments, depth);
  const int value = va_arg(arguments, int);
  va_end(arguments);
  go_on(depth - 1);
  allocate();
  return value;
}

APART void use_alloca(int depth) {
  const unsigned size = 16 + random_below(300);
  void* memory = alloca(size);
  memset(memory, 1, size);
  go_on(depth - 1);
  hide(memory);
  allocate();
}

APART void realign(int depth) {
  alignas(64) char aligned[128];
  hide(aligned);
  go_on(depth - 1);
  hide(aligned);
}

APART void realign_and_use_alloca(int depth) {
  alignas(64) char aligned[128];
  hide(aligned);
  void* memory = alloca(8 + random_below(100));
  hide(memory);
  go_on(depth - 1);
  hide(aligned);
  allocate();
}

APART void throw_text(int depth) {
  go_on(depth - 1);
  if (random_below(2) == 0) {
    throw std::runtime_error("a message long enough to need the heap");
  }
  allocate();
}

APART void catch_text(int depth) {
  try {
    throw_text(depth - 1);
  } catch (const std::exception& error) {
    hide(const_cast<char*>(error.what()));
    allocate();
    go_on(depth - 2);
  }
}

[[noreturn]] APART void never_return(int depth) {
  go_on(depth - 1);
  allocate();
  throw 1;
}

APART void catch_number(int depth) {
  try {
    never_return(depth);
  } catch (int) {
    allocate();
  }
}

APART void sort_numbers(int depth) {
  int numbers[20];
  for (int& number : numbers) {
    number = static_cast<int>(random_below(1000));
  }
  int once = depth;
  std::sort(numbers, numbers + 20, [&](int one, int other) {
    if (once > 0) {
      const int next = once;
      once = 0;
      go_on(next - 2);
    }
    allocate();
    return one < other;
  });
}

int compare(const void* one, const void* other) {
  if (t_once > 0) {
    const int next = t_once;
    t_once = 0;
    go_on(next - 2);
  }
  allocate();
  return *static_cast<const int*>(one) - *static_cast<const int*>(other);
}

APART void sort_in_libc(int depth) {
  int numbers[20];
  for (int& number : numbers) {
    number = static_cast<int>(random_below(1000));
  }
  t_once = depth;
  qsort(numbers, 20, sizeof(*numbers), compare);
  t_once = 0;
}

APART void call_function_object(int depth) {
  const std::string text(30, 'z');
  const std::function<void(int)> call = [text](int next) {
    go_on(next - 1);
    allocate();
  };
  call(depth);
}

APART void fill_map(int depth) {
  std::map<int, std::string> map;
  for (int i = 0; i < 5; ++i) {
    map[static_cast<int>(random_below(50))] = std::string(random_below(60), 'm');
  }
  go_on(depth - 1);
}

APART void match_expression(int depth) {
  static const std::regex expression("(a|b)*c[0-9]+");
  hide(reinterpret_cast<void*>(static_cast<uintptr_t>(std::regex_match("ababc12", expression))));
  go_on(depth - 2);
}

APART void jump_out(int depth) {
  allocate();
  if (random_below(3) == 0) {
    longjmp(t_jump, 1);
  }
  go_on(depth - 1);
  allocate();
}

APART void land(int depth) {
  if (t_may_jump) {
    go_on(depth - 1);
    return;
  }
  t_may_jump = true;
  if (setjmp(t_jump) == 0) {
    jump_out(depth < 3 ? depth : 3);
  }
  t_may_jump = false;
  allocate();
}

void allocate_in_handler(int) {
  const int error = errno;
  allocate();
  errno = error;
}

void go_on_in_handler(int) {
  t_in_handler = true;
  jmp_buf jump;
  memcpy(&jump, &t_jump, sizeof(jump));
  try {
    go_on(3);
  } catch (int) {
  }
  memcpy(&t_jump, &jump, sizeof(jump));
  t_in_handler = false;
}

APART void raise_signals(int depth) {
  raise(SIGUSR1);
  if (!t_in_handler && random_below(4) == 0) {
    raise(SIGUSR2);
  }
  go_on(depth - 1);
}

APART void use_large_frame(int depth) {
  char large[100000];
  hide(large);
  go_on(depth - 1);
  hide(large);
}

template <int N>
[[gnu::noinline]] void call_in_a_row(int depth) {
  if constexpr (N == 0) {
    go_on(depth);
  } else {
    call_in_a_row<N - 1>(depth);
    allocate();
  }
}

APART void grow_vector(int depth) {
  std::vector<int> numbers;
  for (int i = 0; i < 9; ++i) {
    numbers.push_back(i);
  }
  go_on(depth - 1);
}

APART void pass_variadically_once(int depth) {
  pass_variadically(depth, 1, 2.0, "x");
  allocate();
}

using Path = void (*)(int depth);
constexpr Path k_paths[] = {
    call_virtually,   pass_variadically_once, use_alloca,   realign,       realign_and_use_alloca,
    catch_text,       catch_number,           sort_numbers, sort_in_libc,  call_function_object,
    fill_map,         match_expression,       land,         raise_signals, use_large_frame,
    call_in_a_row<3>, call_in_a_row<9>,       grow_vector,
};

}  // namespace

[[gnu::noinline]] void go_on(int depth) {
  if (depth <= 0) {
    allocate();
    return;
  }
  if (random_below(4) == 0) {
    allocate();
  }
  k_paths[random_below(sizeof(k_paths) / sizeof(*k_paths))](depth);
  allocate();
}

void take_signals() {
  struct sigaction action = {};
  action.sa_flags = SA_RESTART | SA_ONSTACK;
  action.sa_handler = allocate_in_handler;
  sigaction(SIGUSR1, &action, nullptr);
  action.sa_handler = go_on_in_handler;
  sigaction(SIGUSR2, &action, nullptr);
}

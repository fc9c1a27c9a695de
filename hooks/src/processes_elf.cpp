// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The interposed functions of process_functions.def on Linux. Each tells the record what is about to happen and then
// leaves everything to the next definition: search paths, attributes, errors and errno are the libc's. No header of the
// libc is included that declares these functions, whose types differ from one to the next.
#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/types.h>

#include "executions.hpp"
#include "process_state.hpp"
#include "symbol_search.hpp"
#include "system_calls.hpp"
#include "uncounted_calls.hpp"

#define ALLOCGATE_EXPORT extern "C" __attribute__((visibility("default")))

extern "C" char** environ;

namespace allocgate::hooks {
namespace {

struct NextProcessFunctions {
#define ALLOCGATE_HOOK_REPLACES(name, parameters, arguments, program) int(*name) parameters;
#define ALLOCGATE_HOOK_SPAWNS(name, parameters, arguments, program) int(*name) parameters;
#define ALLOCGATE_HOOK_SHELLS(name, result, parameters, arguments, failure) result(*name) parameters;
#define ALLOCGATE_HOOK_ENDS(name) void (*name)(int code);
#define ALLOCGATE_HOOK_JUMPED(name, result, parameters, arguments) result(*name) parameters;
#include "process_functions.def"
};

NextProcessFunctions g_next_process;
bool g_was_searched = false;

void find_next_process_functions() {
  struct {
#define ALLOCGATE_HOOK_REPLACES(name, parameters, arguments, program) WantedSymbol name{#name};
#define ALLOCGATE_HOOK_SPAWNS(name, parameters, arguments, program) WantedSymbol name{#name};
#define ALLOCGATE_HOOK_SHELLS(name, result, parameters, arguments, failure) WantedSymbol name{#name};
#define ALLOCGATE_HOOK_ENDS(name) WantedSymbol name{#name};
#define ALLOCGATE_HOOK_JUMPED(name, result, parameters, arguments) WantedSymbol name{#name};
#include "process_functions.def"
  } wanted;
  find_next_definitions(&wanted.execve, sizeof(wanted) / sizeof(WantedSymbol));
#define ALLOCGATE_TAKE(name) g_next_process.name = reinterpret_cast<decltype(g_next_process.name)>(wanted.name.address);
#define ALLOCGATE_HOOK_REPLACES(name, parameters, arguments, program) ALLOCGATE_TAKE(name)
#define ALLOCGATE_HOOK_SPAWNS(name, parameters, arguments, program) ALLOCGATE_TAKE(name)
#define ALLOCGATE_HOOK_SHELLS(name, result, parameters, arguments, failure) ALLOCGATE_TAKE(name)
#define ALLOCGATE_HOOK_ENDS(name) ALLOCGATE_TAKE(name)
#define ALLOCGATE_HOOK_JUMPED(name, result, parameters, arguments) ALLOCGATE_TAKE(name)
#include "process_functions.def"
#undef ALLOCGATE_TAKE
  g_was_searched = true;
}

/* Found at the start: a child of fork must not wait for the loader's lock. A constructor that runs earlier, and a
 * function whose library came later (libdl's, before glibc 2.34), is served by the first call. */
template <typename Function>
Function next(Function NextProcessFunctions::*function) {
  if (g_next_process.*function == nullptr) {
    find_next_process_functions();
  }
  return g_next_process.*function;
}

[[gnu::constructor]] void find_at_start() {
  find_next_process_functions();
}

/* What a program is called that is executed by a descriptor: as the kernel tells it to the new image. */
class DescriptorPath {
public:
  DescriptorPath(int descriptor, const char* path) {
    if (path == nullptr || path[0] == '/' || descriptor == AT_FDCWD) {
      m_path = path;
      return;
    }
    append("/dev/fd/");
    append_number(static_cast<unsigned>(descriptor));
    if (path[0] != '\0') {
      append("/");
      append(path);
    }
  }
  operator const char*() const { return m_path; }

private:
  void append(const char* text) {
    for (; *text != '\0' && m_length + 1 < sizeof(m_buffer); ++text) {
      m_buffer[m_length++] = *text;
    }
  }
  void append_number(unsigned value) {
    if (value >= 10) {
      append_number(value / 10);
    }
    const char digit[] = {static_cast<char>('0' + value % 10), '\0'};
    append(digit);
  }

  size_t m_length = 0;
  char m_buffer[ALLOCGATE_PATH_CAPACITY] = {};
  const char* m_path = m_buffer;
};

/* `call` comes back only when no program was started. */
template <typename Call>
int replace_image(const char* program, Call call) {
  check_what_is_not_counted();
  allocgate_execution_entry* announcement = announce_execution(program);
  const int result = call();
  take_back_announcement(announcement);
  return result;
}

/* `call` writes the child's id to `pid`. */
template <typename Call>
int spawn(const pid_t& pid, const char* program, Call call) {
  allocgate_execution_entry* announcement = announce_child(program);
  const int error = call();
  if (error != 0) {
    take_back_announcement(announcement);
  } else {
    complete_announcement(announcement, pid);
  }
  return error;
}

[[noreturn]] void end(void (*next_end)(int), int code) {
  if (next_end != nullptr) {
    next_end(code);
  }
  for (;;) {
    system_call(SYS_exit_group, code);
  }
}

/* Calls `call` with the words of a variadic form as the array that the other forms take: on the stack, because nothing
 * of ours may allocate. `list` is then behind the null that ends the words. */
template <typename Call>
int with_words(const char* first, va_list& list, Call call) {
  va_list counted;
  va_copy(counted, list);
  size_t count = 1;
  for (const char* word = first; word != nullptr; word = va_arg(counted, const char*)) {
    ++count;
  }
  va_end(counted);
  auto** const words = static_cast<char**>(__builtin_alloca(count * sizeof(char*)));
  char** end = words;
  for (const char* word = first; word != nullptr; word = va_arg(list, const char*)) {
    *end++ = const_cast<char*>(word);
  }
  *end = nullptr;
  return call(words);
}

}  // namespace

#define ALLOCGATE_HOOK_REPLACES(name, parameters, arguments, program) \
  ALLOCGATE_EXPORT int name parameters {                              \
    const auto next_##name = next(&NextProcessFunctions::name);       \
    return replace_image(program, [&]() -> int {                      \
      if (next_##name == nullptr) {                                   \
        errno = ENOSYS;                                               \
        return -1;                                                    \
      }                                                               \
      return next_##name arguments;                                   \
    });                                                               \
  }
#define ALLOCGATE_HOOK_SPAWNS(name, parameters, arguments, program)                                                   \
  ALLOCGATE_EXPORT int name parameters {                                                                              \
    const auto next_##name = next(&NextProcessFunctions::name);                                                       \
    pid_t child = 0;                                                                                                  \
    pid_t* const result = pid;                                                                                        \
    pid = &child;                                                                                                     \
    const int error = spawn(child, program, [&] { return next_##name != nullptr ? next_##name arguments : ENOSYS; }); \
    if (error == 0 && result != nullptr) {                                                                            \
      *result = child;                                                                                                \
    }                                                                                                                 \
    return error;                                                                                                     \
  }
// A command that is null asks whether there is a shell. Which child it runs in, nobody tells.
#define ALLOCGATE_HOOK_SHELLS(name, result, parameters, arguments, failure)                             \
  ALLOCGATE_EXPORT result name parameters {                                                             \
    allocgate_execution_entry* announcement = command != nullptr ? announce_child("/bin/sh") : nullptr; \
    result const returned = next(&NextProcessFunctions::name) arguments;                                \
    if (returned == failure) {                                                                          \
      take_back_announcement(announcement);                                                             \
    }                                                                                                   \
    return returned;                                                                                    \
  }
#include "process_functions.def"

ALLOCGATE_EXPORT int execl(const char* path, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result = with_words(first, list, [&](char** words) { return execve(path, words, environ); });
  va_end(list);
  return result;
}

ALLOCGATE_EXPORT int execle(const char* path, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result =
      with_words(first, list, [&](char** words) { return execve(path, words, va_arg(list, char* const*)); });
  va_end(list);
  return result;
}

ALLOCGATE_EXPORT int execlp(const char* file, const char* first, ...) {
  va_list list;
  va_start(list, first);
  const int result = with_words(first, list, [&](char** words) { return execvp(file, words); });
  va_end(list);
  return result;
}

/* The handlers and destructors to come may still end the process otherwise. */
ALLOCGATE_EXPORT void exit(int code) {
  note_exit_code(code);
  end(next(&NextProcessFunctions::exit), code);
}

ALLOCGATE_EXPORT void quick_exit(int code) {
  end_process_with(code);
  end(next(&NextProcessFunctions::quick_exit), code);
}

ALLOCGATE_EXPORT void _exit(int code) {
  end_process_with(code);
  end(g_next_process._exit, code);
}

ALLOCGATE_EXPORT void _Exit(int code) {
  end_process_with(code);
  end(g_next_process._Exit, code);
}

// The two below end with a jump. vfork comes back twice, the second time over whatever the child did to the stack of a
// frame of ours; dlclose takes the library that calls it by its return address.

ALLOCGATE_EXPORT pid_t vfork() {
  note_vfork();
  return next(&NextProcessFunctions::vfork)();
}

ALLOCGATE_EXPORT int dlclose(void* handle) {
  check_what_is_not_counted();
  return next(&NextProcessFunctions::dlclose)(handle);
}

}  // namespace allocgate::hooks

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Linux system calls without libc: they leave errno alone, are no cancellation points, cannot be interposed by another
// preloaded library, and need no symbol that one libc has and another has not. Results are the kernel's: negative is
// -errno. Any thread, any signal handler.
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>

namespace allocgate::hooks {

inline long system_call(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0, long f = 0) {
#if defined(__x86_64__)
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register long x1 asm("x1") = b;
  register long x2 asm("x2") = c;
  register long x3 asm("x3") = d;
  register long x4 asm("x4") = e;
  register long x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory", "cc");
  return x0;
#else
#error "the hooks know the system calls of x86-64 and aarch64 only"
#endif
}

inline long as_word(const void* pointer) {
  return static_cast<long>(reinterpret_cast<intptr_t>(pointer));
}

inline int32_t kernel_thread_id() {
  return static_cast<int32_t>(system_call(SYS_gettid));
}
inline int32_t process_id() {
  return static_cast<int32_t>(system_call(SYS_getpid));
}
inline int32_t parent_process_id() {
  return static_cast<int32_t>(system_call(SYS_getppid));
}
inline void yield_processor() {
  system_call(SYS_sched_yield);
}

/* Whether a thread may still run: only a clear "no such thread" says that it writes no more, not a sandbox's refusal.
 * tkill, not tgkill, so that a clone which shares our memory but not our process counts as running. */
inline bool thread_may_exist(int32_t thread) {
  return system_call(SYS_tkill, thread, 0) != -ESRCH;
}

inline long open_file(const char* path, int flags, int mode = 0) {
  return system_call(SYS_openat, AT_FDCWD, as_word(path), flags, mode);
}
inline void close_file(long descriptor) {
  system_call(SYS_close, descriptor);
}
inline long write_file(long descriptor, const char* bytes, size_t size) {
  return system_call(SYS_write, descriptor, as_word(bytes), static_cast<long>(size));
}
inline long file_size(long descriptor) {
  return system_call(SYS_lseek, descriptor, 0, 2 /* SEEK_END */);
}
inline long read_link(const char* path, char* target, size_t capacity) {
  return system_call(SYS_readlinkat, AT_FDCWD, as_word(path), as_word(target), static_cast<long>(capacity));
}

/* Null when the kernel refuses. */
inline void* map_memory(size_t size, int flags, long descriptor) {
  const long address = system_call(SYS_mmap, 0, static_cast<long>(size), PROT_READ | PROT_WRITE, flags, descriptor, 0);
  return address < 0 && address > -4096 ? nullptr : reinterpret_cast<void*>(address);
}

[[noreturn]] inline void abort_process() {
  system_call(SYS_kill, process_id(), SIGABRT);
  for (;;) {
    system_call(SYS_exit_group, 134);
  }
}

}  // namespace allocgate::hooks

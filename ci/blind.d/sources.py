# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The sources of the programs that are made."""

# Allocates 1000 blocks; as a suite program it names one workload.
_TEMPLATE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

BEFORE_MAIN

int main(int argc, char** argv) {
  if (argc > 1 && strncmp(argv[1], "--benchmark_list_tests", 22) == 0) {
    puts("made");
    return 0;
  }
  for (int count = 0; count < 1000; ++count) {
    void* volatile block = malloc(24);
    free(block);
  }
  return 0;
}
"""


def program_with(declarations):
    return _TEMPLATE.replace("BEFORE_MAIN", declarations)


PROGRAM = program_with("")

OWN_MALLOC = """
static char arena[1 << 20];
static size_t used;
void* malloc(size_t size) {
  void* block = arena + used;
  used += (size + 31) / 16 * 16;
  return used < sizeof arena ? block : 0;
}
void free(void* block) { (void)block; }
void* calloc(size_t count, size_t size) { return malloc(count * size); }
void* realloc(void* block, size_t size) {
  char* copy = malloc(size);
  for (size_t at = 0; block != 0 && at < size; ++at) {
    copy[at] = ((char*)block)[at];
  }
  return copy;
}
"""
GO_PROGRAM = r"""
package main

import (
	"fmt"
	"os"
)

func main() {
	if len(os.Args) > 1 {
		fmt.Println("made")
	}
}
"""

# What its C code allocates is counted.
GO_WITH_C = r"""
package main

/*
#include <stdlib.h>
static void make_blocks(void) {
  for (int count = 0; count < 1000; ++count) {
    void* volatile block = malloc(24);
    free(block);
  }
}
*/
import "C"

func main() { C.make_blocks() }
"""
GO_SECTION = '__attribute__((section(".go.buildinfo"), used)) static const char go_mark[16] = "made";'
V8_SYMBOL = "void _ZN2v87Isolate5EnterEv(void) {}"

STARTER = r"""
#include <stdlib.h>

int main(int argc, char** argv) {
  for (int count = 0; count < 1000; ++count) {
    void* volatile block = malloc(24);
    free(block);
  }
  return argc > 1 ? system(argv[1]) : 1;
}
"""

CLEARING_WRAPPER = r"""
#define _GNU_SOURCE
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  char* nothing[] = {NULL};
  return argc > 1 ? (int)syscall(SYS_execve, argv[1], argv + 1, nothing) : 1;
}
"""


# Forbids to open files for writing, as sandboxes do, and becomes its arguments.
SANDBOX = r"""
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, O_WRONLY | O_RDWR, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof code / sizeof code[0], code};
  if (argc < 2 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    return 1;
  }
  return execv(argv[1], argv + 1);
}
"""

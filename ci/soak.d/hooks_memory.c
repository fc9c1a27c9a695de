// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "hooks_memory.h"

#include <allocgate/hook_record.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "threads.h"

/* A mapping's first line: where it lies, whether it may be written, and its file, if any. */
struct mapping {
  unsigned long begin;
  unsigned long end;
  char permissions[8];
  char path[4096];
};

static int read_first_line(const char* line, struct mapping* mapping) {
  mapping->path[0] = '\0';
  return sscanf(line, "%lx-%lx %7s %*s %*s %*s %4095[^\n]", &mapping->begin, &mapping->end, mapping->permissions,
                mapping->path) >= 3;
}

static struct hooks_memory read_mappings(FILE* maps, const char* record) {
  static char line[8192];
  struct hooks_memory memory = {0, 0};
  unsigned long library_end = 0, resident = 0;
  int is_data = 0, has_record = 0, has_data = 0;
  while (fgets(line, sizeof line, maps) != NULL) {
    struct mapping mapping;
    if (read_first_line(line, &mapping)) {
      const int is_record = strcmp(mapping.path, record) == 0;
      // What is zero at the start has no file and follows what has one.
      const int is_library = strstr(mapping.path, "allocgate_hooks.so") != NULL ||
                             (mapping.path[0] == '\0' && mapping.begin == library_end);
      library_end = is_library ? mapping.end : library_end;
      is_data = is_library && mapping.permissions[1] == 'w';
      memory.mapped += is_record || is_library ? mapping.end - mapping.begin : 0;
      has_record |= is_record;
      has_data |= is_data;
    } else if (is_data && sscanf(line, "Rss: %lu kB", &resident) == 1) {
      memory.used += resident * 1024;
    }
  }
  if (!has_record || !has_data) {
    fail("the record or the data of the hooks is not among the mappings");
  }
  return memory;
}

/* Of the process that came first, which is this one. */
static uint64_t count_blocks(const char* base) {
  const struct allocgate_record_header* header = (const void*)base;
  const struct allocgate_block* blocks = (const void*)(base + header->blocks_offset);
  const struct allocgate_process_entry* process = (const void*)(base + header->processes_offset);
  if (process->pid != getpid()) {
    fail("the record begins with another process");
  }
  uint64_t count = 0;
  for (uint32_t block = __atomic_load_n(&process->first_block, __ATOMIC_ACQUIRE); block != 0; ++count) {
    block = blocks[block - 1].next;
  }
  return count;
}

struct hooks_memory look_at_hooks_memory(void) {
  const char* record = getenv(ALLOCGATE_ENV_RECORD);
  FILE* maps = fopen("/proc/self/smaps", "r");
  const int descriptor = record != NULL ? open(record, O_RDONLY | O_CLOEXEC) : -1;
  struct stat status;
  if (maps == NULL || descriptor < 0 || fstat(descriptor, &status) != 0) {
    fail("the mappings or the record cannot be read");
  }
  struct hooks_memory memory = read_mappings(maps, record);
  fclose(maps);
  void* mapped = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (mapped == MAP_FAILED) {
    fail("the record cannot be mapped");
  }
  memory.used += count_blocks(mapped) * sizeof(struct allocgate_block);
  munmap(mapped, (size_t)status.st_size);
  return memory;
}

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "record.hpp"

#include <stddef.h>
#include <unistd.h>

#include "system_calls.hpp"

namespace allocgate::hooks {
namespace {

// Enough for a program run by hand; untouched pages cost nothing.
constexpr uint32_t k_shared_blocks = 1024;
constexpr uint32_t k_shared_processes = 256;

// What is left when no mapping can be had, as under a memory limit: part of the library's own data.
constexpr uint32_t k_private_blocks = 8;

constexpr uint32_t k_inherited_flags =
    ALLOCGATE_PROCESS_SHADOWED | ALLOCGATE_PROCESS_OWN_NEW | ALLOCGATE_PROCESS_OTHER_NAMESPACE;

struct PrivateRecord {
  alignas(128) allocgate_record_header header;
  alignas(128) allocgate_block blocks[k_private_blocks];
  alignas(128) allocgate_process_entry processes[1];
};
PrivateRecord g_private_record;

char g_executable_path[4096];

uint32_t level_from_environment() {
  const char* level = environment_value(ALLOCGATE_ENV_LEVEL);
  return level != nullptr && level[0] == '1' && level[1] == '\0' ? ALLOCGATE_LEVEL_COUNTS : ALLOCGATE_LEVEL_USABLE;
}

void point_into(void* base, RecordKind kind) {
  auto* header = static_cast<allocgate_record_header*>(base);
  auto* bytes = static_cast<char*>(base);
  g_record.blocks = reinterpret_cast<allocgate_block*>(bytes + header->blocks_offset);
  g_record.processes = reinterpret_cast<allocgate_process_entry*>(bytes + header->processes_offset);
  g_record.windows = reinterpret_cast<allocgate_window_entry*>(bytes + header->windows_offset);
  g_record.executions = reinterpret_cast<allocgate_execution_entry*>(bytes + header->executions_offset);
  g_record.kind = kind;
  g_record.header = header;
}

void fill_header(allocgate_record_header& header, uint32_t blocks, uint32_t processes, uint64_t blocks_offset,
                 uint64_t processes_offset, uint64_t size) {
  header.magic = ALLOCGATE_RECORD_MAGIC;
  header.version = ALLOCGATE_RECORD_VERSION;
  header.level = level_from_environment();
  header.size = size;
  header.block_capacity = blocks;
  header.process_capacity = processes;
  header.follow_children = 1;
  header.blocks_offset = blocks_offset;
  header.processes_offset = processes_offset;
  header.windows_offset = size;
  header.executions_offset = size;
}

bool holds(const allocgate_record_header& header, uint64_t offset, uint64_t count, uint64_t size_of_one) {
  return offset % alignof(uint64_t) == 0 && offset <= header.size && count * size_of_one <= header.size - offset;
}

bool is_usable(const allocgate_record_header& header, uint64_t size) {
  return header.size == size && (header.level == ALLOCGATE_LEVEL_COUNTS || header.level == ALLOCGATE_LEVEL_USABLE) &&
         holds(header, header.blocks_offset, header.block_capacity, sizeof(allocgate_block)) &&
         holds(header, header.processes_offset, header.process_capacity, sizeof(allocgate_process_entry)) &&
         holds(header, header.windows_offset, header.window_capacity, sizeof(allocgate_window_entry)) &&
         holds(header, header.executions_offset, header.execution_capacity, sizeof(allocgate_execution_entry));
}

void say_not_counted(allocgate_record_header& header) {
  if (header.magic == ALLOCGATE_RECORD_MAGIC) {
    __atomic_fetch_add(&header.images_not_counted, 1, __ATOMIC_RELAXED);
  }
}

/* Whether the open file was mapped and is a record of our version and whole. */
bool map_record_file(long descriptor) {
  const long size = file_size(descriptor);
  if (size < static_cast<long>(sizeof(allocgate_record_header))) {
    return false;
  }
  const auto bytes = static_cast<size_t>(size);
  auto* header = static_cast<allocgate_record_header*>(map_memory(bytes, MAP_SHARED, descriptor));
  if (header == nullptr) {
    // Under a limit of its memory the image has room at least to say that it was here.
    header = static_cast<allocgate_record_header*>(map_memory(sizeof(*header), MAP_SHARED, descriptor));
    if (header != nullptr) {
      say_not_counted(*header);
      system_call(SYS_munmap, as_word(header), sizeof(*header));
    }
    return false;
  }
  if (header->magic == ALLOCGATE_RECORD_MAGIC && header->version == ALLOCGATE_RECORD_VERSION &&
      is_usable(*header, bytes)) {
    point_into(header, RecordKind::runner);
    return true;
  }
  say_not_counted(*header);
  system_call(SYS_munmap, as_word(header), size);
  return false;
}

bool map_runner_record(const char* path) {
  const long descriptor = open_file(path, O_RDWR | O_CLOEXEC);
  if (descriptor < 0) {
    return false;
  }
  const bool mapped = map_record_file(descriptor);
  close_file(descriptor);
  return mapped;
}

bool map_shared_record() {
  constexpr uint64_t k_blocks_offset = 4096;
  constexpr uint64_t k_processes_offset = k_blocks_offset + k_shared_blocks * sizeof(allocgate_block);
  constexpr uint64_t k_size = k_processes_offset + k_shared_processes * sizeof(allocgate_process_entry);
  void* base = map_memory(k_size, MAP_SHARED | MAP_ANONYMOUS, -1);
  if (base == nullptr) {
    return false;
  }
  fill_header(*static_cast<allocgate_record_header*>(base), k_shared_blocks, k_shared_processes, k_blocks_offset,
              k_processes_offset, k_size);
  point_into(base, RecordKind::shared);
  return true;
}

void describe_executable(allocgate_process_entry& entry) {
  const long length = read_link("/proc/self/exe", g_executable_path, sizeof(g_executable_path) - 1);
  if (length > 0) {
    g_executable_path[length] = '\0';
    copy_path(entry.executable, g_executable_path);
  }
}

}  // namespace

Record g_record;

void use_private_record() {
  if (g_record.kind == RecordKind::private_memory) {
    // A fork of a process that counts privately begins at zero, as every child does.
    for (auto& block : g_private_record.blocks) {
      block = {};
    }
    g_private_record.processes[0] = {};
    g_private_record.header.next_block = 0;
    g_private_record.header.next_process = 0;
    return;
  }
  fill_header(g_private_record.header, k_private_blocks, 1, offsetof(PrivateRecord, blocks),
              offsetof(PrivateRecord, processes), sizeof(PrivateRecord));
  if (g_record.header != nullptr) {
    g_private_record.header.level = g_record.header->level;
  }
  point_into(&g_private_record, RecordKind::private_memory);
}

void open_record() {
  const char* path = environment_value(ALLOCGATE_ENV_RECORD);
  const bool mapped = path != nullptr ? map_runner_record(path) : map_shared_record();
  if (!mapped) {
    use_private_record();
  }
}

allocgate_process_entry* claim_process_entry(int32_t pid, const allocgate_process_entry* forked_from) {
  allocgate_record_header& header = *g_record.header;
  const uint32_t index = __atomic_fetch_add(&header.next_process, 1, __ATOMIC_RELAXED);
  if (index >= header.process_capacity) {
    return nullptr;
  }
  allocgate_process_entry& entry = g_record.processes[index];
  entry.pid = pid;
  if (forked_from != nullptr) {
    __atomic_fetch_or(&entry.flags, ALLOCGATE_PROCESS_FORKED, __ATOMIC_RELAXED);
    // What passes by the hooks in the parent does so in the child, which asks the loader nothing: its lock may be held
    // by a thread that the child does not have.
    __atomic_fetch_or(&entry.flags, __atomic_load_n(&forked_from->flags, __ATOMIC_RELAXED) & k_inherited_flags,
                      __ATOMIC_RELAXED);
    __builtin_memcpy(entry.executable, forked_from->executable, sizeof(entry.executable));
    __builtin_memcpy(entry.uncounted_object, forked_from->uncounted_object, sizeof(entry.uncounted_object));
    entry.parent_pid = forked_from->pid;
  } else {
    entry.parent_pid = parent_process_id();
    describe_executable(entry);
  }
  __atomic_store_n(&entry.state, ALLOCGATE_PROCESS_RUNNING, __ATOMIC_SEQ_CST);
  return &entry;
}

allocgate_block* claim_new_block(allocgate_process_entry& process, int32_t owner, uint64_t place) {
  allocgate_record_header& header = *g_record.header;
  const uint32_t index = __atomic_fetch_add(&header.next_block, 1, __ATOMIC_RELAXED);
  if (index >= header.block_capacity) {
    __atomic_fetch_sub(&header.next_block, 1, __ATOMIC_RELAXED);
    return nullptr;
  }
  allocgate_block& block = g_record.blocks[index];
  block.owner = owner;
  block.owner_place = place;
  block.process = static_cast<uint32_t>(&process - g_record.processes) + 1;
  block.next = __atomic_load_n(&process.first_block, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&process.first_block, &block.next, index + 1, false, __ATOMIC_RELEASE,
                                      __ATOMIC_RELAXED)) {
  }
  return &block;
}

void copy_path(char (&target)[ALLOCGATE_PATH_CAPACITY], const char* path) {
  size_t length = 0;
  while (path[length] != '\0') {
    ++length;
  }
  // One that is too long keeps its end, which tells more than its beginning.
  const char* kept = length < ALLOCGATE_PATH_CAPACITY ? path : path + length - (ALLOCGATE_PATH_CAPACITY - 1);
  size_t i = 0;
  for (; kept[i] != '\0'; ++i) {
    target[i] = kept[i];
  }
  target[i] = '\0';
}

const char* environment_value(const char* name) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const char* at = *entry;
    const char* wanted = name;
    while (*wanted != '\0' && *at == *wanted) {
      ++at;
      ++wanted;
    }
    if (*wanted == '\0' && *at == '=') {
      return at + 1;
    }
  }
  return nullptr;
}

}  // namespace allocgate::hooks

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "executions.hpp"

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include "process_state.hpp"
#include "record.hpp"

namespace allocgate::hooks {
namespace {

/* What the kernel was asked to execute, as it told this image; null when that cannot be found. */
const char* executed_path() {
  char** variable = environ;
  if (variable == nullptr) {
    return nullptr;
  }
  while (*variable != nullptr) {
    ++variable;
  }
  for (const auto* entry = reinterpret_cast<const ElfW(auxv_t)*>(variable + 1); entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == AT_EXECFN) {
      return reinterpret_cast<const char*>(entry->a_un.a_val);
    }
  }
  return nullptr;
}

bool equal(const char* left, const char* right) {
  while (*left != '\0' && *left == *right) {
    ++left;
    ++right;
  }
  return *left == *right;
}

const char* file_name(const char* path) {
  const char* name = path;
  for (; *path != '\0'; ++path) {
    name = *path == '/' ? path + 1 : name;
  }
  return name;
}

constexpr char k_own_program[] = "/proc/self/exe";

/* A path that means something else to everybody else is replaced by the one that it stands for. */
const char* meaning_of(const char* program) {
  const allocgate_process_entry* process = entry_of_image();
  return equal(program, k_own_program) && process != nullptr ? process->executable : program;
}

/* A search in PATH adds folders, and a script without a first line for it runs in the shell. */
bool can_be_image_of(const allocgate_execution_entry& announcement, const char* path) {
  return path == nullptr || equal(file_name(announcement.program), file_name(path)) || equal(path, k_own_program) ||
         equal(path, "/bin/sh");
}

uint32_t announcements() {
  const allocgate_record_header& header = *g_record.header;
  const uint32_t count = __atomic_load_n(&header.next_execution, __ATOMIC_ACQUIRE);
  return count < header.execution_capacity ? count : header.execution_capacity;
}

bool is_runner_told() {
  if (g_record.header == nullptr) {
    start_process();
  }
  return g_record.kind == RecordKind::runner && g_record.header->execution_capacity != 0;
}

allocgate_execution_entry* announce(const char* program, int32_t pid, int32_t parent_pid) {
  allocgate_record_header& header = *g_record.header;
  const uint32_t index = __atomic_fetch_add(&header.next_execution, 1, __ATOMIC_RELAXED);
  if (index >= header.execution_capacity) {
    return nullptr;
  }
  allocgate_execution_entry& entry = g_record.executions[index];
  entry.pid = pid;
  entry.parent_pid = parent_pid;
  entry.image_is_ours = 0;
  copy_path(entry.program, meaning_of(program));
  __atomic_store_n(&entry.state, ALLOCGATE_EXECUTION_ANNOUNCED, __ATOMIC_SEQ_CST);
  return &entry;
}

/* Whether an image of that process, which did not come from fork alone, is in the record. */
bool has_image(int32_t pid) {
  const allocgate_record_header& header = *g_record.header;
  for (uint32_t i = 0; i < header.process_capacity; ++i) {
    const allocgate_process_entry& process = g_record.processes[i];
    if (__atomic_load_n(&process.state, __ATOMIC_SEQ_CST) == ALLOCGATE_PROCESS_UNCLAIMED) {
      if (i >= __atomic_load_n(&header.next_process, __ATOMIC_RELAXED)) {
        return false;
      }
    } else if (process.pid == pid &&
               (__atomic_load_n(&process.flags, __ATOMIC_RELAXED) & ALLOCGATE_PROCESS_FORKED) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

allocgate_execution_entry* announce_execution(const char* program) {
  if (program == nullptr || !is_runner_told()) {
    return nullptr;
  }
  const ProcessIdentity self = identify_process();
  if (g_record.header->follow_children == 0 && self.pid != g_record.processes[0].pid) {
    return nullptr;
  }
  return announce(program, self.pid, self.parent_pid);
}

allocgate_execution_entry* announce_child(const char* program) {
  if (program == nullptr || !is_runner_told() || g_record.header->follow_children == 0) {
    return nullptr;
  }
  return announce(program, 0, identify_process().pid);
}

void take_back_announcement(allocgate_execution_entry* announcement) {
  if (announcement == nullptr) {
    return;
  }
  // Shells try one folder of PATH after another: the last announcement gives its place back.
  auto index = static_cast<uint32_t>(announcement - g_record.executions);
  uint32_t next = index + 1;
  __atomic_store_n(&announcement->state, ALLOCGATE_EXECUTION_UNCLAIMED, __ATOMIC_RELEASE);
  if (!__atomic_compare_exchange_n(&g_record.header->next_execution, &next, index, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_RELAXED)) {
    __atomic_store_n(&announcement->state, ALLOCGATE_EXECUTION_FAILED, __ATOMIC_RELEASE);
  }
}

void complete_announcement(allocgate_execution_entry* announcement, int32_t pid) {
  if (announcement == nullptr) {
    return;
  }
  __atomic_store_n(&announcement->pid, pid, __ATOMIC_SEQ_CST);
  // The child's image came before its id was written here, or will find it: one of the two sees the other.
  if (has_image(pid)) {
    __atomic_store_n(&announcement->image_is_ours, 1, __ATOMIC_RELEASE);
  }
}

void answer_announcement(const allocgate_process_entry& process) {
  if (g_record.kind != RecordKind::runner) {
    return;
  }
  const char* path = executed_path();
  for (uint32_t i = announcements(); i > 0; --i) {
    allocgate_execution_entry& entry = g_record.executions[i - 1];
    if (__atomic_load_n(&entry.pid, __ATOMIC_SEQ_CST) != process.pid ||
        __atomic_load_n(&entry.state, __ATOMIC_ACQUIRE) != ALLOCGATE_EXECUTION_ANNOUNCED) {
      continue;
    }
    if (__atomic_load_n(&entry.image_is_ours, __ATOMIC_RELAXED) != 0) {
      return;
    }
    if (can_be_image_of(entry, path)) {
      __atomic_store_n(&entry.image_is_ours, 1, __ATOMIC_RELEASE);
      return;
    }
  }
}

}  // namespace allocgate::hooks

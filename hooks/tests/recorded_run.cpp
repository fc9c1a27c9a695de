// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recorded_run.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace allocgate::hooks_test {
namespace {

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "allocgate-hooks-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), pattern);
    }
    m_path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string file(const char* name) const { return m_path + "/" + name; }

private:
  std::string m_path;
};

class MappedRecord {
public:
  MappedRecord(const std::string& path, const RunOptions& options) {
    constexpr uint64_t k_blocks_offset = 4096;
    constexpr uint32_t k_windows = 16;
    const uint64_t processes_offset = k_blocks_offset + options.blocks * sizeof(allocgate_block);
    const uint64_t windows_offset = processes_offset + options.processes * sizeof(allocgate_process_entry);
    const uint64_t executions_offset = windows_offset + k_windows * sizeof(allocgate_window_entry);
    m_size = executions_offset + options.executions * sizeof(allocgate_execution_entry);
    const int descriptor = open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (descriptor < 0 || posix_fallocate(descriptor, 0, static_cast<off_t>(m_size)) != 0) {
      throw std::system_error(errno, std::generic_category(), path);
    }
    m_base = static_cast<char*>(mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    close(descriptor);
    header() = {.magic = ALLOCGATE_RECORD_MAGIC,
                .version = options.version,
                .level = options.level,
                .size = m_size,
                .block_capacity = options.blocks,
                .process_capacity = options.processes,
                .window_capacity = k_windows,
                .follow_children = options.follow_children ? 1u : 0u,
                .blocks_offset = k_blocks_offset,
                .processes_offset = processes_offset,
                .windows_offset = windows_offset,
                .next_block = 0,
                .next_process = 0,
                .next_window = 0,
                .images_not_counted = 0,
                .executions_offset = executions_offset,
                .execution_capacity = options.executions,
                .next_execution = 0};
  }
  ~MappedRecord() { munmap(m_base, m_size); }
  MappedRecord(const MappedRecord&) = delete;
  MappedRecord& operator=(const MappedRecord&) = delete;

  allocgate_record_header& header() { return *reinterpret_cast<allocgate_record_header*>(m_base); }
  const allocgate_block& block(uint32_t index) {
    return reinterpret_cast<allocgate_block*>(m_base + header().blocks_offset)[index];
  }
  const allocgate_process_entry& process(uint32_t index) {
    return reinterpret_cast<allocgate_process_entry*>(m_base + header().processes_offset)[index];
  }
  const allocgate_execution_entry& execution(uint32_t index) {
    return reinterpret_cast<allocgate_execution_entry*>(m_base + header().executions_offset)[index];
  }

private:
  char* m_base = nullptr;
  uint64_t m_size = 0;
};

void add(allocgate_counters& sum, const allocgate_block& block) {
  for (unsigned slot = 0; slot < ALLOCGATE_SIZE_CLASS_SLOTS; ++slot) {
    sum.size_classes[slot] += block.size_classes[slot];
    sum.allocations += block.size_classes[slot];
  }
  sum.deallocations += block.deallocations;
  sum.reallocations += block.reallocations;
  sum.failed_allocations += block.failed_allocations;
  sum.allocated_bytes += block.allocated_bytes;
  sum.allocated_usable_bytes += block.allocated_usable_bytes;
  sum.deallocated_bytes += block.deallocated_bytes;
  sum.live_bytes = static_cast<int64_t>(sum.allocated_usable_bytes - sum.deallocated_bytes);
}

void read(MappedRecord& record, RecordedRun& result) {
  const allocgate_record_header& header = record.header();
  result.images_not_counted = header.images_not_counted;
  result.blocks_claimed = std::min(header.next_block, header.block_capacity);
  for (uint32_t i = 0; i < std::min(header.next_process, header.process_capacity); ++i) {
    const allocgate_process_entry& entry = record.process(i);
    RecordedProcess process{.pid = entry.pid,
                            .parent_pid = entry.parent_pid,
                            .state = entry.state,
                            .flags = entry.flags,
                            .threads = entry.threads,
                            .blocks = 0,
                            .exit_code = entry.exit_known != 0 ? std::optional(entry.exit_code) : std::nullopt,
                            .executable = entry.executable,
                            .uncounted_object = entry.uncounted_object,
                            .counters = {}};
    for (uint32_t next = entry.first_block; next != 0; next = record.block(next - 1).next) {
      add(process.counters, record.block(next - 1));
      add(result.total, record.block(next - 1));
      process.blocks += 1;
    }
    process.counters.peak_live_bytes = entry.peak_live_bytes;
    result.total.peak_live_bytes = std::max(result.total.peak_live_bytes, entry.peak_live_bytes);
    result.processes.push_back(process);
  }
  for (uint32_t i = 0; i < std::min(header.next_execution, header.execution_capacity); ++i) {
    const allocgate_execution_entry& entry = record.execution(i);
    result.executions.push_back({entry.state, entry.pid, entry.parent_pid, entry.image_is_ours != 0, entry.program});
  }
}

std::string joined_preload(const RunOptions& options) {
  std::string preload = options.preload_before;
  preload += (preload.empty() ? "" : ":") + options.hooks_library;
  return options.preload_after.empty() ? preload : preload + ":" + options.preload_after;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& string : strings) {
    result.push_back(string.data());
  }
  result.push_back(nullptr);
  return result;
}

}  // namespace

RecordedRun run(const std::vector<std::string>& command, const RunOptions& options) {
  const TemporaryFolder folder;
  MappedRecord record(folder.file("record"), options);
  std::vector<std::string> words = command;
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin"};
  environment.insert(environment.end(), options.environment.begin(), options.environment.end());
  std::vector<std::string> preload = {"LD_PRELOAD=" + joined_preload(options)};
  if (options.with_record) {
    preload.push_back("ALLOCGATE_RECORD=" + folder.file("record"));
  }
  if (options.shell_prefix.empty()) {
    environment.insert(environment.end(), preload.begin(), preload.end());
  } else {
    // The shell itself stays uncounted: only what it becomes gets the hooks.
    std::string line = options.shell_prefix + " env";
    for (const std::string& assignment : preload) {
      line += " " + assignment;
    }
    words.insert(words.begin(), {"/bin/sh", "-c", line + " \"$0\" \"$@\""});
  }
  std::vector<char*> arguments = pointers(words);
  std::vector<char*> variables = pointers(environment);
  const int output = open(folder.file("output").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);

  const pid_t child = fork();
  if (child == 0) {
    dup2(output, STDOUT_FILENO);
    dup2(output, STDERR_FILENO);
    execve(arguments[0], arguments.data(), variables.data());
    _exit(127);
  }
  close(output);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    throw std::system_error(errno, std::generic_category(), command.at(0));
  }
  RecordedRun result;
  if (WIFEXITED(status)) {
    result.exit_code = WEXITSTATUS(status);
  } else {
    result.signal = WTERMSIG(status);
  }
  std::ifstream text(folder.file("output"), std::ios::binary);
  result.output.assign(std::istreambuf_iterator<char>(text), {});
  read(record, result);
  return result;
}

std::optional<std::string> output_of(const std::string& shell_line) {
  FILE* pipe = popen(shell_line.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (pipe != nullptr) {
    const size_t length = fread(buffer, 1, sizeof(buffer), pipe);
    if (length == 0) {
      break;
    }
    output.append(buffer, length);
  }
  return pipe != nullptr && pclose(pipe) == 0 ? std::optional(output) : std::nullopt;
}

}  // namespace allocgate::hooks_test

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "scripted_launcher.hpp"

#include "process/find_program.hpp"

#include <allocgate/suite_protocol.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace allocgate {

PlayedProcess::PlayedProcess(const LaunchSpec& spec) : m_spec(spec) {
  const auto path = environment_value(spec.environment, ALLOCGATE_ENV_RECORD);
  if (!path) {
    return;
  }
  const int file = ::open(path->c_str(), O_RDWR | O_CLOEXEC);
  struct stat status {};
  ::fstat(file, &status);
  m_size = static_cast<std::size_t>(status.st_size);
  void* mapped = ::mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  ::close(file);
  if (mapped == MAP_FAILED) {
    throw std::runtime_error("cannot map " + *path);
  }
  m_mapped = static_cast<std::byte*>(mapped);
  m_header = reinterpret_cast<allocgate_record_header*>(m_mapped);
}

PlayedProcess::~PlayedProcess() {
  if (m_mapped != nullptr) {
    ::munmap(m_mapped, m_size);
  }
}

allocgate_process_entry& PlayedProcess::image(std::int32_t pid, std::string_view executable) {
  auto* entries = reinterpret_cast<allocgate_process_entry*>(m_mapped + m_header->processes_offset);
  allocgate_process_entry& entry = entries[m_header->next_process++];
  entry.pid = pid;
  entry.state = ALLOCGATE_PROCESS_EXITED;
  entry.exit_known = 1;
  entry.threads = 1;
  std::copy(executable.begin(), executable.end(), entry.executable);
  return entry;
}

allocgate_block& PlayedProcess::block() {
  auto* blocks = reinterpret_cast<allocgate_block*>(m_mapped + m_header->blocks_offset);
  allocgate_block& block = blocks[m_header->next_block++];
  block.process = m_header->next_process;
  return block;
}

allocgate_execution_entry& PlayedProcess::announce(std::int32_t pid, std::string_view program) {
  auto* entries = reinterpret_cast<allocgate_execution_entry*>(m_mapped + m_header->executions_offset);
  allocgate_execution_entry& entry = entries[m_header->next_execution++];
  entry.pid = pid;
  entry.parent_pid = k_pid;
  entry.state = ALLOCGATE_EXECUTION_ANNOUNCED;
  std::copy(program.begin(), program.end(), entry.program);
  return entry;
}

allocgate_window_entry& PlayedProcess::window(std::uint64_t iterations, std::uint64_t allocations) {
  auto* windows = reinterpret_cast<allocgate_window_entry*>(m_mapped + m_header->windows_offset);
  allocgate_window_entry& window = windows[m_header->next_window++];
  window.state = 1;
  window.process = m_header->next_process - 1;
  window.iterations = iterations;
  window.duration_ns = iterations * 1000;
  window.threads = 1;
  window.peak_is_exact = 1;
  window.allocations = window.deallocations = window.size_classes[3] = allocations;
  return window;
}

void PlayedProcess::write_file(std::string_view variable, std::string_view content) const {
  std::ofstream(environment_value(m_spec.environment, variable).value()) << content;
}

std::vector<std::uint64_t> PlayedProcess::asked_windows() const {
  std::istringstream words(environment_value(m_spec.environment, ALLOCGATE_ENV_SUITE_WINDOWS).value_or(""));
  std::vector<std::uint64_t> counts;
  for (std::string word; std::getline(words, word, ',');) {
    counts.push_back(std::stoull(word));
  }
  return counts;
}

std::optional<std::string> PlayedProcess::argument(std::string_view option) const {
  for (const std::string& word : m_spec.argv) {
    if (word.starts_with(option)) {
      return word.substr(option.size());
    }
  }
  return std::nullopt;
}

LaunchOutcome ScriptedLauncher::launch(const LaunchSpec& spec) {
  m_specs.push_back(spec);
  LaunchOutcome outcome;
  outcome.pid = PlayedProcess::k_pid;
  PlayedProcess process(spec);
  m_script(process, ++m_launches, outcome);
  return outcome;
}

}  // namespace allocgate

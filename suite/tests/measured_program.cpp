// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measured_program.hpp"

#include "test_paths.hpp"

#include <allocgate/suite_protocol.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <regex>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace allocgate::test {

namespace {

void check(bool done, const char* what) {
  if (!done) {
    throw std::system_error(errno, std::generic_category(), what);
  }
}

// The record of one run, laid out as hook_record.h says.
class Record {
public:
  Record(const std::filesystem::path& path, std::uint32_t level) {
    constexpr std::uint64_t k_first_page = 4096;
    constexpr std::uint32_t k_blocks = 64;
    constexpr std::uint32_t k_processes = 8;
    constexpr std::uint32_t k_windows = 64;

    allocgate_record_header header = {};
    header.magic = ALLOCGATE_RECORD_MAGIC;
    header.version = ALLOCGATE_RECORD_VERSION;
    header.level = level;
    header.block_capacity = k_blocks;
    header.process_capacity = k_processes;
    header.window_capacity = k_windows;
    header.follow_children = 1;
    header.blocks_offset = k_first_page;
    header.processes_offset = aligned(header.blocks_offset + k_blocks * sizeof(allocgate_block));
    header.windows_offset = aligned(header.processes_offset + k_processes * sizeof(allocgate_process_entry));
    header.size = header.windows_offset + k_windows * sizeof(allocgate_window_entry);

    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    check(file >= 0, "open the record");
    check(posix_fallocate(file, 0, static_cast<off_t>(header.size)) == 0, "make room for the record");
    m_size = header.size;
    m_memory = mmap(nullptr, m_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    check(m_memory != MAP_FAILED, "map the record");
    close(file);
    std::memcpy(m_memory, &header, sizeof(header));
  }
  ~Record() { munmap(m_memory, m_size); }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;

  void read_into(Outcome& outcome) const {
    const auto* bytes = static_cast<const char*>(m_memory);
    allocgate_record_header header;
    std::memcpy(&header, bytes, sizeof(header));
    outcome.images_not_counted = header.images_not_counted;
    outcome.windows.resize(std::min(header.next_window, header.window_capacity));
    std::memcpy(outcome.windows.data(), bytes + header.windows_offset,
                outcome.windows.size() * sizeof(allocgate_window_entry));
  }

private:
  static std::uint64_t aligned(std::uint64_t offset) {
    constexpr std::uint64_t k_alignment = 128;
    return (offset + k_alignment - 1) / k_alignment * k_alignment;
  }

  void* m_memory = nullptr;
  std::size_t m_size = 0;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) {
    pointers.push_back(text.data());
  }
  pointers.push_back(nullptr);
  return pointers;
}

std::vector<std::string> environment_of(const Program& program, const std::filesystem::path& record) {
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin"};
  for (const auto& [name, value] : program.environment) {
    environment.push_back(name + "=" + value);
  }
  if (!program.preload.empty()) {
    std::string preload;
    for (const std::filesystem::path& library : program.preload) {
      preload += (preload.empty() ? "" : ":") + library.string();
    }
    environment.push_back("LD_PRELOAD=" + preload);
    environment.push_back(ALLOCGATE_ENV_RECORD "=" + record.string());
  }
  return environment;
}

// In the child: descriptors 0 to 2 and those that were asked for, no other.
void set_descriptors(int output, unsigned inherited) {
  constexpr int k_first_own = 3;
  constexpr int k_last_own = 1024;
  dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  for (int descriptor = k_first_own; descriptor < k_last_own; ++descriptor) {
    close(descriptor);
  }
  for (unsigned opened = 0; opened < inherited; ++opened) {
    [[maybe_unused]] const int descriptor = open("/dev/null", O_RDONLY);
  }
}

int exit_code_of(int status) {
  constexpr int k_signal_base = 128;
  return WIFSIGNALED(status) ? k_signal_base + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

Outcome run(const Program& program) {
  const std::filesystem::path folder = test_folder();
  const std::filesystem::path output_path = folder / "output";
  const std::filesystem::path record_path = folder / "record";
  std::filesystem::remove(record_path);
  std::optional<Record> record;
  if (!program.preload.empty()) {
    record.emplace(record_path, program.level);
  }

  std::vector<std::string> arguments = {program.path.string()};
  arguments.insert(arguments.end(), program.arguments.begin(), program.arguments.end());
  std::vector<std::string> environment = environment_of(program, record_path);
  const std::vector<char*> argument_pointers = pointers_to(arguments);
  const std::vector<char*> environment_pointers = pointers_to(environment);
  const int output = open(output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  check(output >= 0, "open the output");

  const pid_t child = fork();
  check(child >= 0, "fork");
  if (child == 0) {
    set_descriptors(output, program.inherited_descriptors);
    execve(program.path.c_str(), argument_pointers.data(), environment_pointers.data());
    _exit(127);
  }
  close(output);
  int status = 0;
  check(waitpid(child, &status, 0) == child, "wait for the program");

  Outcome outcome;
  outcome.exit_code = exit_code_of(status);
  outcome.output = read_file(output_path);
  if (record) {
    record->read_into(outcome);
  }
  return outcome;
}

std::map<std::string, ListedWorkload> list_suite() {
  std::map<std::string, ListedWorkload> all;
  for (const auto& entry : std::filesystem::directory_iterator(k_suite_folder)) {
    const std::filesystem::path list = test_folder() / "list.json";
    run({.path = entry.path(), .environment = {{ALLOCGATE_ENV_SUITE_LIST, list.string()}}});
    static const std::regex line(R"re(\{"name": "([^"]+)".*)re");
    const std::string text = read_file(list);
    for (std::sregex_iterator match(text.begin(), text.end(), line), end; match != end; ++match) {
      all[(*match)[1]] = {entry.path(), (*match)[0]};
    }
  }
  return all;
}

std::filesystem::path test_folder() {
  const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
  std::string name = std::string(test.test_suite_name()) + "." + test.name();
  std::replace(name.begin(), name.end(), '/', '_');
  const std::filesystem::path folder = std::filesystem::path(k_test_folder) / name;
  std::filesystem::create_directories(folder);
  return folder;
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

Program suite_run(const std::filesystem::path& program, const std::string& workload, const std::string& windows) {
  return {.path = program,
          .environment = {{ALLOCGATE_ENV_SUITE_WORKLOAD, workload},
                          {ALLOCGATE_ENV_SUITE_WINDOWS, windows},
                          {ALLOCGATE_ENV_SUITE_REPORT, report_path().string()}},
          .preload = {k_hooks}};
}

std::filesystem::path report_path() {
  return test_folder() / "report.json";
}

}  // namespace allocgate::test

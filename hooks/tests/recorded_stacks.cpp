// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recorded_stacks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <system_error>

namespace allocgate::hooks_test {
namespace {

class StackFolder {
public:
  StackFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "allocgate-stacks-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw std::system_error(errno, std::generic_category(), pattern);
    }
    m_path = pattern;
  }
  ~StackFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  StackFolder(const StackFolder&) = delete;
  StackFolder& operator=(const StackFolder&) = delete;

  const std::filesystem::path& path() const { return m_path; }

private:
  std::filesystem::path m_path;
};

}  // namespace

Functions::Functions(const std::string& path) : m_path(path) {
  std::istringstream lines(output_of("nm -S --defined-only '" + path + "'").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    uint64_t begin = 0;
    uint64_t size = 0;
    char type = 0;
    std::string name;
    if (words >> std::hex >> begin >> size >> type >> name && (type == 'T' || type == 't')) {
      m_by_begin[begin] = {begin + size, name};
    }
  }
}

std::string Functions::name_at(uint64_t address) const {
  const auto next = m_by_begin.upper_bound(address);
  if (next == m_by_begin.begin()) {
    return "";
  }
  const Function& function = std::prev(next)->second;
  return address < function.end ? function.name : "";
}

StackRun record_stacks(const std::vector<std::string>& command, RunOptions options) {
  const StackFolder folder;
  options.environment.push_back("ALLOCGATE_STACKS=" + folder.path().string());
  StackRun result;
  result.run = run(command, options);
  result.sections = read_stack_sections(folder.path());
  return result;
}

void expect_sums(const StackRun& recorded) {
  ASSERT_EQ(recorded.sections.size(), recorded.run.processes.size());
  for (const StackSection& section : recorded.sections) {
    ASSERT_EQ(section.damage, std::nullopt);
    ASSERT_LT(section.process, recorded.run.processes.size());
    const RecordedProcess& process = recorded.run.processes[section.process];
    const StackCounters total = section.total();
    EXPECT_EQ(section.pid, process.pid);
    EXPECT_EQ(total.allocations, process.counters.allocations);
    EXPECT_EQ(total.bytes, process.counters.allocated_bytes);
    EXPECT_TRUE(std::equal(total.size_classes.begin(), total.size_classes.end(), process.counters.size_classes));
  }
}

void expect_lives(const StackRun& recorded) {
  for (const StackSection& section : recorded.sections) {
    ASSERT_LT(section.process, recorded.run.processes.size());
    const allocgate_counters& counters = recorded.run.processes[section.process].counters;
    ASSERT_TRUE(section.unattributed_life.has_value());
    const StackLife total = section.total_life();
    EXPECT_EQ(total.deallocations, counters.deallocations);
    EXPECT_EQ(total.deallocated_bytes, counters.deallocated_bytes);
    EXPECT_EQ(total.live_bytes, counters.live_bytes);
  }
}

std::string text_of(const RecordedStack& stack, const StackSection& section, const Functions& functions) {
  std::string text;
  for (const StackFrame& frame : stack.frames) {
    std::string name = "?";
    if (frame.module == k_frames_cut) {
      name = "...";
    } else if (frame.module != k_no_module) {
      const std::filesystem::path path = section.modules.at(frame.module).path;
      const std::string function = path == functions.path() ? functions.name_at(frame.offset) : "";
      name = function.empty() ? path.filename().string() : function;
    }
    text += (text.empty() ? "" : " ") + name;
    if (name == "main") {
      break;
    }
  }
  return text;
}

std::map<std::string, uint64_t> allocations_by_text(const StackSection& section, const Functions& functions) {
  std::map<std::string, uint64_t> allocations;
  for (const RecordedStack& stack : section.stacks) {
    allocations[text_of(stack, section, functions)] += stack.counters.allocations;
  }
  return allocations;
}

uint64_t allocations_from(const std::string& beginning, const StackSection& section, const Functions& functions) {
  uint64_t sum = 0;
  for (const RecordedStack& stack : section.stacks) {
    if (text_of(stack, section, functions).starts_with(beginning)) {
      sum += stack.counters.allocations;
    }
  }
  return sum;
}

}  // namespace allocgate::hooks_test

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Runs a program with its stacks recorded, and names the frames that are in the program's own file, by its symbol
// table.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "process/stack_contents.hpp"
#include "recorded_run.hpp"

namespace allocgate::hooks_test {

/* The functions of one file: name by address. */
class Functions {
public:
  explicit Functions(const std::string& path);

  /* Empty when the address is in none. */
  std::string name_at(uint64_t address) const;

  const std::string& path() const { return m_path; }

private:
  struct Function {
    uint64_t end;
    std::string name;
  };
  std::string m_path;
  std::map<uint64_t, Function> m_by_begin;
};

struct StackRun {
  RecordedRun run;
  std::vector<StackSection> sections;
};

StackRun record_stacks(const std::vector<std::string>& command, RunOptions options = {});

/* The stacks of each process and what it counted beside them are what its counters say. */
void expect_sums(const StackRun& recorded);

/* The same of what became of the blocks, where it was recorded. */
void expect_lives(const StackRun& recorded);

/*
 * The frames, innermost first, from `site` out to `main` at most, joined by blanks: functions of the file that the
 * program was run from by name, other modules' as the name of their file, the mark of frames left out as "...", code in
 * no module as "?".
 */
std::string text_of(const RecordedStack& stack, const StackSection& section, const Functions& functions);

/* Allocations by the text of the stack; those that have the same text added up. */
std::map<std::string, uint64_t> allocations_by_text(const StackSection& section, const Functions& functions);

/* The sum over the stacks whose text begins with `beginning`. */
uint64_t allocations_from(const std::string& beginning, const StackSection& section, const Functions& functions);

}  // namespace allocgate::hooks_test

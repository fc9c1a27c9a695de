// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// One line of the register.
struct CommandEntry {
  std::string_view name;  // one word, or family and word: "baseline update"
  std::unique_ptr<Command> (*make)();
};

/// Every command, in the order in which help lists them. Static storage.
std::span<const CommandEntry> all_commands();

/// The command that begins `arguments`, and how many of them its name takes.
struct FoundCommand {
  std::unique_ptr<Command> command;
  std::size_t words = 0;
};

/// Whether `word` is the first word of commands of two words.
bool is_family(std::string_view word);

/// Finds the command. Throws Error (64) with the nearest name when there is none.
FoundCommand find_command(std::span<const std::string> arguments);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/command.hpp"

#include <string>
#include <string_view>

namespace allocgate {

/// The page of `allocgate NAME --help`: usage, description, options with defaults, examples, exit codes; 80 columns.
std::string command_help(Command& command);

/// The page of `allocgate --help`: all commands, examples, exit codes, environment.
std::string overview_help();

/// The page of a family such as `allocgate baseline --help`.
std::string family_help(std::string_view family);

}  // namespace allocgate

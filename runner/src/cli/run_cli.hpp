// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/streams.hpp"

#include <string>
#include <vector>

namespace allocgate {

/// The whole command: finds the subcommand, reads its options, runs it, and turns every Error into one line on standard
/// error and an exit status. Results go to `streams.out`, everything else to `streams.err`.
int run_cli(const std::vector<std::string>& arguments, const Streams& streams);

/// The same for main(): on the process's own streams, with the signals set as a command needs them.
int run_cli(int argc, char** argv);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <iosfwd>
#include <string>

namespace allocgate {

/// Where a command writes: results to `out`, everything else to `err`. Not owned. One thread.
struct Streams {
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  std::string program = "allocgate";  // how the command was called, for command lines to paste
};

}  // namespace allocgate

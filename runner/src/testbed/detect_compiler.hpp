// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/environment.hpp"
#include "process/launcher.hpp"

#include <string>
#include <string_view>

namespace allocgate {

/// A compiler that a build is told to use.
struct CompilerFacts {
  std::string name;          // as testbeds have it, "gcc 12.2", "clang 14.0"; empty when it did not say
  std::string version_line;  // the first line of its --version; empty when it could not be asked
};

/// What CXX, or else CC, of `environment` says; nothing where neither is set. Nothing fails.
CompilerFacts detect_compiler(const Environment& environment, Launcher& launcher);

/// "gcc 12.2" of "g++-12 (Debian 12.2.0-14) 12.2.0", "clang 14.0" of "Debian clang version 14.0.6"; empty for a line
/// without a version. Another compiler goes by its first word. Pure.
std::string compiler_in(std::string_view version_line);

}  // namespace allocgate

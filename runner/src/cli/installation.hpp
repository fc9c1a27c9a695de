// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_workload.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace allocgate {

/// The prefix under which the running command lies: the folder above its bin/. From /proc/self/exe, so that a link in
/// PATH does not matter.
std::filesystem::path installation_prefix();

/// The parts of an installation under `prefix`; `hooks_override` (ALLOCGATE_HOOKS) takes the place of the hooks library
/// when it is not empty. A part that is not there is an empty path. The build folder has the installed layout.
Installation locate_installation(const std::filesystem::path& prefix, const std::string& hooks_override);

/// The same for the running command and its environment.
Installation own_installation();

/// Where the parts were looked for, for messages.
std::filesystem::path expected_hooks(const std::filesystem::path& prefix, const std::string& hooks_override);

/// Throws Error (3) when the hooks are missing, naming the places tried and what to do.
void require_hooks(const Installation& installation);

/// The executables in the suite's folder, sorted; empty when there are none.
std::vector<std::filesystem::path> suite_programs(const Installation& installation);

/// A suite that the build left out because its core was not installed.
struct LeftOutSuite {
  std::string name;     // as "libssh"
  std::string package;  // of Debian that has the core, as "libssh-dev"
};

/// What the build wrote down about that; empty when it left nothing out.
std::vector<LeftOutSuite> left_out_suites(const Installation& installation);

/// Baselines that were installed with the command: share/allocgate/baselines.
std::filesystem::path installed_baselines();

}  // namespace allocgate

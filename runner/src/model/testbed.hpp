// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// What makes two measurements comparable: where and with what they were made. Plain data, no I/O.
struct Testbed {
  std::string id;  // readable: debian12-x86_64-glibc2.36-gcc12.2
  /// os, arch, libc, stdlib, compiler, allocator, kernel, cpu, hooks; and core.<name> = package version.
  std::map<std::string, std::string> fields;
};

/// How the fields begin that hold the version of a core, and what a workload names in `depends_on` of those it uses.
constexpr std::string_view k_core_prefix = "core.";

/// The fields on which the counts of every workload depend: os, arch, libc, stdlib, core. A workload's own
/// `depends_on` adds to these. "core" stands for every field core.<name>, unless the workload names the ones it uses.
std::vector<std::string> default_depends_on();

/// One field whose values are not the same in two testbeds; "" where one does not have it.
struct TestbedDifference {
  std::string field;
  std::string before;
  std::string after;
};

/// "libc (2.36 in the baseline, 2.37 here)".
std::string difference_text(const TestbedDifference& difference);

/// The fields that differ, sorted by name.
std::vector<TestbedDifference> differences(const Testbed& before, const Testbed& after);

/// Whether counts of a workload with this `depends_on` may be other ones because of this difference. A core that one
/// side does not have at all does not matter: the workload cannot have used it there.
bool matters(const TestbedDifference& difference, const std::vector<std::string>& depends_on);

}  // namespace allocgate

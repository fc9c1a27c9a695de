// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <map>
#include <string>
#include <vector>

namespace allocgate {

/// What makes two measurements comparable: where and with what they were made. Plain data, no I/O.
struct Testbed {
  std::string id;  // readable: debian12-x86_64-glibc2.36-gcc12.2
  /// os, arch, libc, stdlib, compiler, allocator, kernel, cpu, hooks; and core.<name> = package version.
  std::map<std::string, std::string> fields;
};

/// The fields on which the counts of every workload depend: os, arch, libc, stdlib, core. A workload's own
/// `depends_on` adds to these. "core" stands for every field core.<name>, unless the workload names the ones it uses.
std::vector<std::string> default_depends_on();

/// One field whose values are not the same in two testbeds; "" where one does not have it.
struct TestbedDifference {
  std::string field;
  std::string before;
  std::string after;
};

/// The fields that differ, sorted by name.
std::vector<TestbedDifference> differences(const Testbed& before, const Testbed& after);

/// Whether a workload with this `depends_on` says that its counts depend on `field`.
bool depends_on_field(const std::vector<std::string>& depends_on, const std::string& field);

}  // namespace allocgate

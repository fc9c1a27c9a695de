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

/// The fields of which `workload` says that its counts depend on them, when it says nothing.
std::vector<std::string> default_depends_on();  // os, arch, libc, stdlib, core

}  // namespace allocgate

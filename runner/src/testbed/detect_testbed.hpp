// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/testbed.hpp"

#include <map>
#include <string>
#include <string_view>

namespace allocgate {

/// What is read about this machine, as text, so that putting it together is tested without the machine.
struct TestbedFacts {
  std::string os_release;  // the content of /etc/os-release; empty where there is none
  std::string arch;        // as uname says it
  std::string kernel;
  std::string libc;      // "glibc 2.36"
  std::string stdlib;    // "libstdc++ 12"
  std::string compiler;  // "gcc 12.2"
  std::string cpu_info;  // the content of /proc/cpuinfo
};

/// Reads them. Nothing fails: what is not there stays empty, and the field is absent.
TestbedFacts read_testbed_facts();

/// The testbed of such a machine, with an allocator under the hooks and the cores of some workloads, name -> version.
/// The id is made of what is built and installed, not of the processor: debian12-x86_64-glibc2.36-gcc12.2. Pure.
Testbed make_testbed(const TestbedFacts& facts, std::string_view allocator,
                     const std::map<std::string, std::string>& cores);

}  // namespace allocgate

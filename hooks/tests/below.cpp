// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "below.hpp"

namespace allocgate::hooks_test {

std::string missing_reason(const Below& below) {
  if (below.musl) {
    return std::string(MUSL_PROBES).empty() ? "musl-gcc was not found when this was built (package musl-tools)" : "";
  }
  if (below.library.empty()) {
    return "";
  }
  // In a child of its own: a test program that loaded the allocator would be another program.
  const std::string command = "LD_PRELOAD=" + below.library + " /bin/true 2>&1";
  const auto output = output_of(command);
  return output.has_value() && output->empty() ? "" : below.library + " is not installed";
}

std::string probe(const std::string& name, const Below& below) {
  return std::string(below.musl ? MUSL_PROBES : PROBES) + "/" + name;
}

}  // namespace allocgate::hooks_test

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/cores.hpp"

#include "model/testbed.hpp"

#include <algorithm>

namespace allocgate {

std::vector<std::string> cores_of(const std::string& name, const std::string& suite,
                                  const std::vector<std::string>& depends_on) {
  std::vector<std::string> cores;
  for (const std::string& field : depends_on) {
    if (field.starts_with(k_core_prefix)) {
      cores.push_back(field.substr(k_core_prefix.size()));
    }
  }
  const bool is_named = std::find(cores.begin(), cores.end(), suite) != cores.end();
  if (!cores.empty() && !is_named && name.starts_with(suite + "/")) {
    cores.push_back(suite);
  }
  return cores;
}

std::optional<NameByCore> name_by_core(const std::string& name, const std::vector<std::string>& cores) {
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos || std::find(cores.begin(), cores.end(), name.substr(0, slash)) == cores.end()) {
    return std::nullopt;
  }
  return NameByCore{name.substr(0, slash), name.substr(slash + 1)};
}

}  // namespace allocgate

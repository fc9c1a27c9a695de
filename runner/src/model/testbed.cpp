// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/testbed.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace allocgate {

namespace {

constexpr std::string_view k_core_prefix = "core.";

std::string value_of(const Testbed& testbed, const std::string& field) {
  const auto found = testbed.fields.find(field);
  return found != testbed.fields.end() ? found->second : std::string();
}

}  // namespace

std::vector<std::string> default_depends_on() {
  return {"os", "arch", "libc", "stdlib", "core"};
}

std::vector<TestbedDifference> differences(const Testbed& before, const Testbed& after) {
  std::set<std::string> fields;
  for (const Testbed* testbed : {&before, &after}) {
    for (const auto& [field, value] : testbed->fields) {
      fields.insert(field);
    }
  }
  std::vector<TestbedDifference> found;
  for (const std::string& field : fields) {
    TestbedDifference difference{field, value_of(before, field), value_of(after, field)};
    if (difference.before != difference.after) {
      found.push_back(std::move(difference));
    }
  }
  return found;
}

bool depends_on_field(const std::vector<std::string>& depends_on, const std::string& field) {
  const auto named_in = [&field](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), field) != names.end();
  };
  if (named_in(depends_on)) {
    return true;
  }
  if (!field.starts_with(k_core_prefix)) {
    return named_in(default_depends_on());
  }
  return std::none_of(depends_on.begin(), depends_on.end(),
                      [](const std::string& name) { return name.starts_with(k_core_prefix); });
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "model/testbed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace allocgate {

namespace {

std::string value_of(const Testbed& testbed, const std::string& field) {
  const auto found = testbed.fields.find(field);
  return found != testbed.fields.end() ? found->second : std::string();
}

}  // namespace

std::vector<std::string> default_depends_on() {
  return {"os", "arch", "libc", "stdlib", "core"};
}

std::string difference_text(const TestbedDifference& difference) {
  const auto shown = [](const std::string& value) { return value.empty() ? std::string("none") : value; };
  return fmt::format("{} ({} in the baseline, {} here)", difference.field, shown(difference.before),
                     shown(difference.after));
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

bool matters(const TestbedDifference& difference, const std::vector<std::string>& depends_on) {
  const auto named_in = [&difference](const std::vector<std::string>& names) {
    return std::find(names.begin(), names.end(), difference.field) != names.end();
  };
  if (!difference.field.starts_with(k_core_prefix)) {
    return named_in(depends_on) || named_in(default_depends_on());
  }
  if (difference.before.empty() || difference.after.empty()) {
    return false;
  }
  const bool names_its_cores = std::any_of(depends_on.begin(), depends_on.end(),
                                           [](const std::string& name) { return name.starts_with(k_core_prefix); });
  return !names_its_cores || named_in(depends_on);
}

}  // namespace allocgate

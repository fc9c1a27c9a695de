// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/environment.hpp"

#include "process/find_program.hpp"

#include <allocgate/hook_record.h>
#include <allocgate/stack_record.h>
#include <allocgate/suite_protocol.h>

#include <array>
#include <cstdlib>

#include <unistd.h>

namespace allocgate {
namespace {

constexpr std::string_view k_fixed_search_path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

constexpr std::array<std::string_view, 12> k_own_variables = {
    ALLOCGATE_ENV_RECORD,         ALLOCGATE_ENV_OUTPUT,        ALLOCGATE_ENV_LEVEL,        ALLOCGATE_ENV_SUITE_LIST,
    ALLOCGATE_ENV_SUITE_WORKLOAD, ALLOCGATE_ENV_SUITE_WINDOWS, ALLOCGATE_ENV_SUITE_REPORT, ALLOCGATE_ENV_STACKS,
    ALLOCGATE_ENV_STACKS_PAUSED,  ALLOCGATE_ENV_STACKS_WINDOW, ALLOCGATE_ENV_STACKS_LIVE,  ALLOCGATE_ENV_STACKS_SAMPLE};

bool is_entry_of(const std::string& entry, std::string_view name) {
  return entry.size() > name.size() && entry.compare(0, name.size(), name) == 0 && entry[name.size()] == '=';
}

}  // namespace

Environment Environment::fixed() {
  Environment environment;
  environment.set("PATH", k_fixed_search_path);
  environment.set("HOME", "/");
  environment.set("LANG", "C.UTF-8");
  environment.set("TZ", "UTC");
  if (const auto libraries = own_variable("LD_LIBRARY_PATH")) {
    environment.set("LD_LIBRARY_PATH", *libraries);
  }
  return environment;
}

Environment Environment::inherited() {
  Environment environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    environment.m_entries.emplace_back(*entry);
  }
  for (const std::string_view name : k_own_variables) {
    environment.unset(name);
  }
  return environment;
}

void Environment::set(std::string_view name, std::string_view value) {
  unset(name);
  m_entries.push_back(std::string(name) + '=' + std::string(value));
}

void Environment::unset(std::string_view name) {
  std::erase_if(m_entries, [&](const std::string& entry) { return is_entry_of(entry, name); });
}

std::optional<std::string> Environment::get(std::string_view name) const {
  return environment_value(m_entries, name);
}

std::optional<std::string> own_variable(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') {
    return std::nullopt;
  }
  return value;
}

}  // namespace allocgate

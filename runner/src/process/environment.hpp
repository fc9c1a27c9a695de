// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// Variables for a program to start, NAME=VALUE, in the order in which they were added. Plain value, one thread.
class Environment {
public:
  /// What every workload under `run` is given, whoever measures it: a fixed PATH, HOME, LANG and TZ. LD_LIBRARY_PATH is
  /// passed on where it is set, because it decides which code runs. `list --commands` prints these.
  static Environment fixed();

  /// The caller's own, without what an outer allocgate told its hooks and suite programs: for `stat`.
  static Environment inherited();

  void set(std::string_view name, std::string_view value);
  void unset(std::string_view name);
  [[nodiscard]] std::optional<std::string> get(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& entries() const { return m_entries; }

private:
  std::vector<std::string> m_entries;
};

/// A variable of the runner's own environment; nothing when it is unset or empty.
std::optional<std::string> own_variable(const char* name);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// Which of `names` the `patterns` mean, as indexes in ascending order: a name, a glob, or /a regular expression/ that
/// is found anywhere in the name. No pattern means all. Throws Error (64) for a pattern that means none, with the
/// nearest name, and for a regular expression that is none.
/// `among` is for that message: "" or " over asio".
std::vector<std::size_t> select_workloads(std::span<const std::string> names, std::span<const std::string> patterns,
                                          std::string_view among = {});

/// A workload as options choose it: by its name, and by the cores that it is over.
struct Choosable {
  std::string name;
  std::vector<std::string> cores;
};

/// Which workloads a command is about.
struct WorkloadChoice {
  std::vector<std::string> names;  // names, globs or /regex/; empty: all
  std::vector<std::string> cores;  // over one of these; empty: any or none

  [[nodiscard]] bool means_all() const { return names.empty() && cores.empty(); }
  /// Throws Error (64) for a regular expression that is none.
  [[nodiscard]] bool means(const Choosable& workload) const;
};

/// Which of `workloads` the choice means, as indexes in ascending order. Throws Error (64) for a core that no workload
/// is over, and for a pattern that means none of those over the chosen cores, with the nearest name.
std::vector<std::size_t> select_workloads(std::span<const Choosable> workloads, const WorkloadChoice& choice);

}  // namespace allocgate

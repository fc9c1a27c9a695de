// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "measure/measure_time.hpp"
#include "measure/proof.hpp"
#include "process/private_folder.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace allocgate {

/// Runs of one workload without the hooks, each in a fresh process and alone. One thread.
class BareRun {
public:
  BareRun(const WorkloadInfo& workload, const TimePlan& plan, Launcher& launcher);

  /// One process, by measure.
  using Values = std::map<std::string, Count>;
  std::variant<Values, Failure> time(std::uint64_t iterations);

  /// The instructions of one process and those it starts, as callgrind counts them.
  std::variant<Count, Failure> instructions(std::uint64_t iterations);

  /// Whether the iteration count is ours to set.
  [[nodiscard]] bool takes_iterations() const;

private:
  [[nodiscard]] LaunchSpec spec_for(std::uint64_t iterations) const;
  [[nodiscard]] std::filesystem::path report() const { return m_folder.path() / "report.json"; }
  std::optional<Failure> take_loop(Values& values) const;

  const WorkloadInfo& m_workload;
  const TimePlan& m_plan;
  Launcher& m_launcher;
  PrivateFolder m_folder;
};

}  // namespace allocgate

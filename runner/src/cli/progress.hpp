// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/streams.hpp"
#include "measure/progress.hpp"

#include <cstddef>
#include <mutex>
#include <string_view>

namespace allocgate {

/// A bar on standard error that says which workload is measured, on a terminal only; a log gets nothing. Its line is
/// wiped when the object goes. Any thread may tell it something.
class Progress final : public MeasureProgress {
public:
  Progress(const Streams& streams, std::size_t workloads) : m_streams(streams), m_workloads(workloads) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() override;

  void process_begins(std::string_view workload, unsigned number, unsigned expected) override;
  void workload_ends(const WorkloadResult& result) override;

private:
  const Streams& m_streams;
  std::mutex m_mutex;
  std::size_t m_workloads;
  std::size_t m_ended = 0;
  bool m_drawn = false;
};

}  // namespace allocgate

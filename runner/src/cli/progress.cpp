// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/progress.hpp"

#include "report/text_width.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

namespace allocgate {

namespace {

constexpr std::size_t k_bar_width = 20;
constexpr std::size_t k_name_width = 36;
constexpr std::string_view k_wipe_line = "\r\x1b[K";

}  // namespace

Progress::~Progress() {
  if (m_drawn) {
    m_streams.err << k_wipe_line << std::flush;
  }
}

void Progress::process_begins(std::string_view workload, unsigned number, unsigned expected) {
  if (!m_streams.err_is_terminal) {
    return;
  }
  const std::lock_guard lock(m_mutex);
  const std::size_t done = m_workloads == 0 ? 0 : std::min(m_ended, m_workloads) * k_bar_width / m_workloads;
  m_streams.err << k_wipe_line
                << fmt::format("[{}{}] {}/{} {} {}/{}", std::string(done, '#'), std::string(k_bar_width - done, '.'),
                               m_ended, m_workloads, shortened_in_the_middle(on_one_line(workload), k_name_width),
                               number, expected)
                << std::flush;
  m_drawn = true;
}

void Progress::workload_ends(const WorkloadResult& /*result*/) {
  const std::lock_guard lock(m_mutex);
  ++m_ended;
}

}  // namespace allocgate

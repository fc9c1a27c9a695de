// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/background_launch.hpp"

#include <utility>

namespace allocgate {

BackgroundLaunch::BackgroundLaunch(Launcher& launcher, LaunchSpec spec) : m_spec(std::move(spec)), m_stop(make_pipe()) {
  m_spec.output = LaunchSpec::Output::capture;
  m_spec.end_descendants = true;
  m_spec.stop = m_stop.read_end.get();
  m_outcome = std::async(std::launch::async, [this, &launcher] { return launcher.launch(m_spec); });
}

BackgroundLaunch::~BackgroundLaunch() {
  ask_to_stop();
  if (m_outcome.valid()) {
    m_outcome.wait();
  }
}

bool BackgroundLaunch::ends_within(std::chrono::milliseconds time) {
  return m_outcome.wait_for(time) == std::future_status::ready;
}

LaunchOutcome BackgroundLaunch::stop() {
  ask_to_stop();
  return m_outcome.get();
}

void BackgroundLaunch::ask_to_stop() {
  m_stop.write_end.reset();  // the end of a pipe is readable
}

}  // namespace allocgate

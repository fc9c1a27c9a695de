// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/alive.hpp"

#include <cerrno>

#include <sys/types.h>
#include <csignal>

namespace allocgate {

bool is_alive(std::int64_t pid) {
  return pid > 0 && (::kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM);
}

}  // namespace allocgate

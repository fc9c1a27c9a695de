// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/exit_code.hpp"

#include <stdexcept>
#include <string>

namespace allocgate {

/// The runner's only exception: this command cannot go on. Thrown anywhere below cli/, caught once in run_cli, which
/// prints the message on standard error and ends with the code. The message says what was tried, on which file, why it
/// did not work and what to do. Expected outcomes (no baseline yet, a failed workload, a regression) are values.
class Error : public std::runtime_error {
public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), m_code(code) {}

  [[nodiscard]] ExitCode code() const noexcept { return m_code; }

private:
  ExitCode m_code;
};

}  // namespace allocgate

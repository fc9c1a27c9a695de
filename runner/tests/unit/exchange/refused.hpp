// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "base/error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace allocgate {

/// What `work` is refused with: the message of its Error, whose code must be 65.
template <typename Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::unreadable_input);
    return error.what();
  }
  ADD_FAILURE() << "it was not refused";
  return {};
}

}  // namespace allocgate

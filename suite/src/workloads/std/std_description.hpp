// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"

#include <cstddef>
#include <string>
#include <utility>

namespace allocgate::suite {

/// What every workload over the C++ library says of itself.
inline WorkloadDescription std_row(std::string exercises) {
#if defined(_GLIBCXX_RELEASE)
  return exact("std", std::to_string(_GLIBCXX_RELEASE), std::move(exercises));
#else
  return exact("std", "", std::move(exercises));
#endif
}

}  // namespace allocgate::suite

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/bisection.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <string>

namespace allocgate {

/// Every step for people: what changed by how much, where, and what could not be measured. Sums are checked aloud.
std::string bisection_report(const Bisection& bisection, const Style& style, std::size_t width);

/// The same for a comment on a change.
std::string bisection_markdown(const Bisection& bisection);

}  // namespace allocgate

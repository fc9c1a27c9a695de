// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/judging.hpp"
#include "cli/streams.hpp"

#include <string>
#include <string_view>

namespace allocgate {

constexpr std::string_view k_default_patch = "allocgate-ratchet.patch";

/// Writes the baseline in which every improvement of `judged` is kept as a patch for `git apply`, to `file` or the
/// default name in the working directory, and says so with the command that applies it; nothing else is changed. The
/// entries get `reason` (or a default one), the commit that was measured and the time. Without an improvement nothing
/// is written. Throws Error (1) when the patch cannot be made or written, naming what is missing.
void write_ratchet_patch(const Judged& judged, const std::string& file, const std::string& reason,
                         const Streams& streams);

}  // namespace allocgate

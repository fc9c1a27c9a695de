// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "exchange/foreign.hpp"
#include "model/result.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// SwiftNIO's allocation counter tests: what they print, and the limits that their script holds it to. The script fails
// above the limit, and at or below the limit less 1000; beyond 4 blocks that remain; at one descriptor that leaks.
namespace allocgate {

/// Lines "MAX_ALLOCS_ALLOWED_NAME=N" of a shell or a compose file, in whose other lines nothing is looked for; or one
/// flat JSON object {"NAME": N}. Throws Error (65) as read_foreign does.
ForeignFile read_swift_nio_limits(std::string_view text, const std::filesystem::path& file);

/// Lines "test_NAME.total_allocations: N" and their kin, and those that the checking script prints of them. Other lines
/// of the log are passed over. Throws Error (65) as read_foreign does.
ForeignFile read_swift_nio_log(std::string_view text, const std::filesystem::path& file);

/// Text of a result in such a format, and what it could not say.
struct ForeignText {
  std::string text;
  std::vector<std::string> left_out;  // workloads that were not measured, one sentence each
};

/// The log lines of `result`: totals at each workload's iterations, the minimum over the processes, as those tests
/// print it. Names become what a shell can grep: test_, then letters, digits and "_". Throws Error (64) when two
/// workloads become one name.
ForeignText swift_nio_log(const Result& result);

/// The limits that SwiftNIO's update script would write for it: below 1000 exact, else the next multiple of 50 above.
/// Throws Error (64) as swift_nio_log does.
ForeignText swift_nio_limits(const Result& result);

/// The limit for an observed total.
Count swift_nio_limit(Count observed);

}  // namespace allocgate

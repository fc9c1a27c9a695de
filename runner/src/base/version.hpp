// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string_view>

namespace allocgate {

/// This command's version, as the build's project() says it: "0.1.0".
std::string_view version();

}  // namespace allocgate

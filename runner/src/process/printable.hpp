// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>
#include <string_view>

namespace allocgate {

/// `text` as it may stand in a message or in JSON: valid UTF-8, no control characters but tabs and line ends. Each byte
/// that is neither becomes one "?". What measured programs print and name is not trusted to be text. Pure.
std::string printable(std::string_view text);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace allocgate {

/// The C++ name behind a symbol of the Itanium ABI ("_ZN3fooEv", on macOS "__ZN3fooEv"); nothing for any other text.
/// What compilers append after a dot comes back as " [clone .part.0]". Pure; any thread.
std::optional<std::string> demangled(std::string_view symbol);

}  // namespace allocgate

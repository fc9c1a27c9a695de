// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/launcher.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// The name for people of each symbol, in their order: of C++ and Rust (legacy and v0), and of Swift where
/// `swift-demangle` or `swift` is installed, which `launcher` starts. Any other text is its own name. Never throws but
/// for an interrupt.
std::vector<std::string> names_for_people(std::span<const std::string_view> symbols, Launcher& launcher);

/// The same of one symbol without Swift's: pure; empty where `symbol` is not mangled.
std::string demangled_name(std::string_view symbol);

/// Whether `symbol` is a name of Swift.
bool is_swift(std::string_view symbol);

}  // namespace allocgate

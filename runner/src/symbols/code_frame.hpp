// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <string_view>

namespace allocgate {

/// One function at one place in the code, as the debug data say. The texts belong to who gave the frame.
struct CodeFrame {
  std::string_view name;  // as the linker knows it, where it does: mangled; empty where nobody knows
  std::string_view file;  // empty: not known
  std::uint32_t line = 0;
  bool inlined = false;  // into the next frame outward

  bool operator==(const CodeFrame&) const = default;
};

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>
#include <string_view>

namespace allocgate {

/// What a piece of text means, so that colour is decided in one place.
enum class Paint { plain, good, bad, caution, faint, strong };

/// Puts colour on text, or not. A value; any thread.
class Style {
public:
  explicit Style(bool coloured = false) : m_coloured(coloured) {}

  [[nodiscard]] bool coloured() const { return m_coloured; }
  /// `text` between the terminal's codes for `paint`; unchanged without colour.
  [[nodiscard]] std::string painted(std::string_view text, Paint paint) const;

private:
  bool m_coloured;
};

}  // namespace allocgate

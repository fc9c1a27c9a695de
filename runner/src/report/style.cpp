// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/style.hpp"

namespace allocgate {

namespace {

std::string_view code_of(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return {};
    case Paint::good:
      return "\x1b[32m";
    case Paint::bad:
      return "\x1b[1;31m";
    case Paint::caution:
      return "\x1b[33m";
    case Paint::faint:
      return "\x1b[2m";
    case Paint::strong:
      return "\x1b[1m";
  }
  return {};
}

}  // namespace

std::string Style::painted(std::string_view text, Paint paint) const {
  const std::string_view code = code_of(paint);
  if (!m_coloured || code.empty() || text.empty()) {
    return std::string(text);
  }
  return std::string(code).append(text).append("\x1b[0m");
}

}  // namespace allocgate

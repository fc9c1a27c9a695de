// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/demangle.hpp"

#include <cxxabi.h>

#include <cstdlib>
#include <memory>

namespace allocgate {

std::optional<std::string> demangled(std::string_view symbol) {
  if (symbol.substr(0, 3) == "__Z") {
    symbol.remove_prefix(1);
  }
  if (symbol.substr(0, 2) != "_Z") {
    return std::nullopt;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name ? std::optional<std::string>(name.get()) : std::nullopt;
}

}  // namespace allocgate

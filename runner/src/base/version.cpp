// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/version.hpp"

namespace allocgate {

std::string_view version() {
  return ALLOCGATE_VERSION;
}

}  // namespace allocgate

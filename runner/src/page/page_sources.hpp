// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string_view>

namespace allocgate {

/// The files of this folder that make the page, as they are in the source tree. embed_page.cmake writes them into the
/// command.
struct PageSources {
  std::string_view html;  // with {{names}} of what is filled in
  std::string_view style;
  std::string_view style_digest;  // SHA-256 in hexadecimal digits
  std::string_view script;
  std::string_view script_digest;
};

/// Static storage; any thread.
const PageSources& page_sources();

}  // namespace allocgate

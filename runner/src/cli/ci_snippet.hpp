// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace allocgate {

/// A file that makes a CI service run the gate.
struct CiSnippet {
  std::string_view file;  // where the service looks for it, from the root of the repository
  std::string text;
  std::string_view hint;  // what else is to be done; may be empty
};

/// For "github" or "gitlab"; `build` is the shell line that builds what is measured, where it is known. Pure.
CiSnippet ci_snippet(std::string_view service, const std::optional<std::string>& build);

}  // namespace allocgate

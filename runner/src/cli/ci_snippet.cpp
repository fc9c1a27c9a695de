// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/ci_snippet.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

constexpr std::string_view k_unknown_build = "true  # build what allocgate.json measures";

// The image fixes the testbed, so that the baselines of one machine are good on the next.
constexpr std::string_view k_github = R"(name: allocations
on: [push, pull_request]
jobs:
  allocgate:
    runs-on: ubuntu-latest
    container: debian:12  # baselines belong to a testbed: measure them in this image too
    steps:
      - uses: actions/checkout@v4
      # allocgate has to be in PATH: cmake --install BUILD --prefix /usr/local
      - name: Build
        run: |
          {build}
      - name: Gate allocations
        shell: bash  # with pipefail, so that the step ends as the gate does
        run: allocgate check --format markdown | tee -a "$GITHUB_STEP_SUMMARY"
)";

constexpr std::string_view k_gitlab = R"(allocgate:
  image: debian:12  # baselines belong to a testbed: measure them in this image too
  # allocgate has to be in PATH: cmake --install BUILD --prefix /usr/local
  script:
    - |
      {build}
    - allocgate check --format markdown --output allocgate.md || code=$?
    - cat allocgate.md
    - exit ${{code:-0}}
  artifacts:
    when: always
    paths: [allocgate.md]
)";

std::string indented(std::string_view text, std::size_t spaces) {
  std::string result;
  for (const char character : text) {
    result += character;
    if (character == '\n') {
      result.append(spaces, ' ');
    }
  }
  return result;
}

}  // namespace

CiSnippet ci_snippet(std::string_view service, const std::optional<std::string>& build) {
  constexpr std::size_t k_github_indent = 10;
  constexpr std::size_t k_gitlab_indent = 6;
  const std::string_view line = build ? std::string_view(*build) : k_unknown_build;
  if (service == "gitlab") {
    return {".gitlab/allocgate.yml", fmt::format(k_gitlab, fmt::arg("build", indented(line, k_gitlab_indent))),
            "add `include: [{local: .gitlab/allocgate.yml}]` to .gitlab-ci.yml"};
  }
  return {".github/workflows/allocgate.yml", fmt::format(k_github, fmt::arg("build", indented(line, k_github_indent))),
          ""};
}

}  // namespace allocgate

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
# shellcheck shell=bash
#
# What the scripts share; sourced, never run. They all build with one preset, so that nothing is built twice.

project_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
preset=dev
build_folder=$project_root/build/$preset

say() { printf '==> %s\n' "$*"; }

complain() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# The comment block at the top of the calling script is its --help.
print_usage() { sed -n '/^# Usage:/,/^$/s/^# \{0,1\}//p' "$0"; }

parallel_jobs() { echo "${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}"; }

require_tool() {
  command -v "$1" >/dev/null && return
  complain "$1 is not installed; install the packages that scripts/setup --list prints, then try again"
  exit 1
}

# The compilers that we test with; a newer one has newer warnings, which must not stop a user.
is_tested_system() { [[ $(. /etc/os-release 2>/dev/null && echo "${ID:-}${VERSION_ID:-}") == debian12 ]]; }

# Configures when there is no build folder yet or packages came since; ninja itself sees changed CMake files.
configure() {
  local packages_changed=/var/lib/dpkg/status
  if [[ -f $build_folder/build.ninja && ! $packages_changed -nt $build_folder/build.ninja ]]; then return; fi
  require_tool cmake
  require_tool ninja
  say "configuring $build_folder (preset $preset)"
  local options=()
  is_tested_system || options+=(-DALLOCGATE_WARNINGS_AS_ERRORS=OFF)
  if command -v ccache >/dev/null; then
    options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  (cd "$project_root" && cmake --preset "$preset" "${options[@]}")
  touch "$build_folder/build.ninja"
}

# build_targets [TARGET...]: all of them when none is named.
build_targets() {
  local targets=()
  if (($#)); then targets=(--target "$@"); fi
  (cd "$project_root" && cmake --build --preset "$preset" --parallel "$(parallel_jobs)" "${targets[@]}")
}

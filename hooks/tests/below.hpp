// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What lies below the hooks in a test: a libc, and perhaps an allocator preloaded after them. What is not installed is
// skipped with a reason.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "recorded_run.hpp"

namespace allocgate::hooks_test {

struct Below {
  std::string name;
  std::string library;  // empty: the libc's own malloc
  bool musl = false;
};

inline void PrintTo(const Below& below, std::ostream* out) {
  *out << below.name;
}

inline const Below k_below[] = {
    {"system", ""},
    {"mimalloc", "libmimalloc.so.2"},
    {"jemalloc", "libjemalloc.so.2"},
    {"tcmalloc", "libtcmalloc_minimal.so.4"},
    {"musl", "", true},
};

/* Why it cannot be tested here; empty when it can. */
std::string missing_reason(const Below& below);

/* The path of a probe built for the libc below. */
std::string probe(const std::string& name, const Below& below = k_below[0]);

inline RunOptions over(const Below& below, uint32_t level = ALLOCGATE_LEVEL_COUNTS) {
  return {.level = level, .preload_after = below.library};
}

inline std::string name_of(const testing::TestParamInfo<Below>& info) {
  return info.param.name;
}

#define ALLOCGATE_SKIP_IF_MISSING(below)                                                            \
  if (const std::string reason = ::allocgate::hooks_test::missing_reason(below); !reason.empty()) { \
    GTEST_SKIP() << reason;                                                                         \
  }

}  // namespace allocgate::hooks_test

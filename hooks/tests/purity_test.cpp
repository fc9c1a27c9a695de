// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library brings nothing of its own into a program: no further library, no name that is not on the list, little
// thread-local storage, and only imports that every libc we serve has had for long.
#include <gtest/gtest.h>

#include <set>
#include <sstream>

#include "recorded_run.hpp"

namespace allocgate::hooks_test {
namespace {

const std::string k_library = "\"" HOOKS_LIBRARY "\"";

std::set<std::string> last_words(const std::string& text) {
  std::set<std::string> words;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    words.insert(line.substr(line.rfind(' ') + 1));
  }
  return words;
}

TEST(PurityTest, NeedsTheLibcAlone) {
  const auto needed = output_of("readelf -dW " + k_library + " | grep NEEDED");
  ASSERT_TRUE(needed.has_value());
  EXPECT_EQ(last_words(*needed), std::set<std::string>{"[libc.so.6]"});
}

TEST(PurityTest, ExportsTheListedNamesAlone) {
  const auto exported = output_of("nm -D --defined-only " + k_library);
  ASSERT_TRUE(exported.has_value());
  const std::set<std::string> listed = {
      "allocgate_hooks_v1",
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) #name,
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) #name,
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments) #name,
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments) #name,
#include "hooked_functions.def"
#define ALLOCGATE_HOOK_REPLACES(name, parameters, arguments, program) #name,
#define ALLOCGATE_HOOK_SPAWNS(name, parameters, arguments, program) #name,
#define ALLOCGATE_HOOK_SHELLS(name, result, parameters, arguments, failure) #name,
#define ALLOCGATE_HOOK_ENDS(name) #name,
#define ALLOCGATE_HOOK_VARIADIC(name) #name,
#define ALLOCGATE_HOOK_JUMPED(name, result, parameters, arguments) #name,
#include "process_functions.def"
  };
  EXPECT_EQ(last_words(*exported), listed);
}

TEST(PurityTest, ImportsOnlyWhatEveryLibcHas) {
  const auto imported = output_of("nm -D --undefined-only " + k_library + " | grep -v ' w '");
  ASSERT_TRUE(imported.has_value());
  const std::set<std::string> allowed = {"abort@GLIBC_2.2.5", "dl_iterate_phdr@GLIBC_2.2.5", "environ@GLIBC_2.2.5",
                                         "__environ@GLIBC_2.2.5", "sysconf@GLIBC_2.2.5", "pthread_self@GLIBC_2.2.5",
                                         "__errno_location@GLIBC_2.2.5",
                                         // what a compiler may make of a copied structure
                                         "memcpy@GLIBC_2.14", "memset@GLIBC_2.2.5"};
  for (const std::string& name : last_words(*imported)) {
#if defined(__x86_64__)
    EXPECT_TRUE(allowed.contains(name)) << name;
#endif
  }
}

TEST(PurityTest, HasLittleThreadLocalStorage) {
  const auto segment = output_of("readelf -lW " + k_library + " | grep -w TLS");
  ASSERT_TRUE(segment.has_value());
  std::istringstream words(*segment);
  std::string word;
  for (int i = 0; i < 6; ++i) {
    words >> word;
  }
  EXPECT_LE(std::stoul(word, nullptr, 16), 64u);
  EXPECT_GT(std::stoul(word, nullptr, 16), 0u);
}

TEST(PurityTest, CanBeUnwoundThrough) {
  const auto frames = output_of("readelf -SW " + k_library + " | grep -c eh_frame_hdr");
  EXPECT_EQ(frames, "1\n");
}

}  // namespace
}  // namespace allocgate::hooks_test

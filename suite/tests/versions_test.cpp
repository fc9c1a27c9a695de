// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The adapter compiled against the stub of google-benchmark's headers, in each form that versions of it have
// (benchmark_stub.hpp): the linker must find under the names that we list what programs of each call.

#include "measured_program.hpp"
#include "test_paths.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace allocgate::test {

namespace {

using Names = std::set<std::string>;

const Names& wrapped_names() {
  static const Names names = {
#define ALLOCGATE_STATE_FUNCTION(name, symbol) symbol,
#include "window/state_functions.def"
#define ALLOCGATE_WRAPPED(name, symbol, result, parameters) symbol,
#include "adapter/wrapped_functions.def"
  };
  return names;
}

// The names of an object or archive that are defined elsewhere, of those that begin with `prefix`, without it.
Names undefined_names(const std::string& objects, const std::string& prefix) {
  const Outcome table = run({.path = k_readelf, .arguments = {"-sW", objects}});
  EXPECT_EQ(table.exit_code, 0) << table.output;
  const std::regex line(" UND " + prefix + R"((_Z\S+))");
  Names names;
  for (std::sregex_iterator match(table.output.begin(), table.output.end(), line), end; match != end; ++match) {
    names.insert((*match)[1]);
  }
  return names;
}

Names difference(const Names& from, const Names& without) {
  Names names;
  std::set_difference(from.begin(), from.end(), without.begin(), without.end(), std::inserter(names, names.end()));
  return names;
}

struct Form {
  const char* name;
  const char* caller;
  const char* adapter;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> all = {
      {"to_1_9_1", k_stub_caller_1, k_stub_adapter_1},
      {"from_1_9_2", k_stub_caller_2, k_stub_adapter_2},
      {"from_1_9_5", k_stub_caller_3, k_stub_adapter_3},
  };
  return all;
}

class Versions : public testing::TestWithParam<Form> {
protected:
  void SetUp() override {
    if (*k_readelf == '\0') {
      GTEST_SKIP() << "readelf is not installed (Debian: binutils)";
    }
  }
};

TEST_P(Versions, AreCalledByNamesThatAreWrapped) {
  const Names called = undefined_names(GetParam().caller, "");
  EXPECT_FALSE(called.empty());
  EXPECT_EQ(difference(called, wrapped_names()), Names());
}

// What a program does not call, its libbenchmark may not have.
TEST_P(Versions, AreAskedForNoNameOfAnother) {
  const Names called = undefined_names(GetParam().caller, "");
  const Names forwarded = undefined_names(GetParam().adapter, "__real_");
  EXPECT_EQ(forwarded, called);
}

INSTANTIATE_TEST_SUITE_P(Adapter, Versions, testing::ValuesIn(forms()),
                         [](const auto& test) { return test.param.name; });

TEST(AdapterVersions, WrapNoNameThatNoneHas) {
  if (*k_readelf == '\0') {
    GTEST_SKIP() << "readelf is not installed (Debian: binutils)";
  }
  Names called;
  for (const Form& form : forms()) {
    called.merge(undefined_names(form.caller, ""));
  }
  EXPECT_EQ(difference(wrapped_names(), called), Names());
}

}  // namespace

}  // namespace allocgate::test

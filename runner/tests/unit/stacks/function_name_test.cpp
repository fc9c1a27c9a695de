// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/function_name.hpp"

#include <gmock/gmock.h>

namespace allocgate {
namespace {

struct NameCase {
  std::string_view function;
  std::string_view linkage_name;
  std::string_view identity;
};

class IdentityName : public testing::TestWithParam<NameCase> {};

TEST_P(IdentityName, KeepsWhatSaysWhichFunctionItIs) {
  EXPECT_EQ(identity_name(GetParam().function, GetParam().linkage_name), GetParam().identity);
}

INSTANTIATE_TEST_SUITE_P(
    Names, IdentityName,
    testing::Values(
        NameCase{"run", "", "run"}, NameCase{"run(int)", "", "run(int)"}, NameCase{"run(double)", "", "run(double)"},
        NameCase{"run<int>(int)", "", "run<int>(int)"}, NameCase{"operator+(a)", "", "operator+(a)"},
        NameCase{"operator+", "", "operator+"}, NameCase{"shown", "_Z3runi", "run(int)"},
        NameCase{"_Z3runi", "", "run(int)"}, NameCase{"__Z3runi", "", "run(int)"}, NameCase{"run.cold", "", "run"},
        NameCase{"run.part.0", "", "run"}, NameCase{"run.constprop.12", "", "run"},
        NameCase{"run.isra.0.cold", "", "run"}, NameCase{"run.lto_priv.3", "", "run"},
        NameCase{"run.llvm.1234567890", "", "run"}, NameCase{"run(int) [clone .part.0] [clone .cold]", "", "run(int)"},
        NameCase{"", "_Z3runi.constprop.0.cold", "run(int)"},
        NameCase{"main::{lambda(int)#3}::operator()(int) const", "", "main::{lambda(int)}::operator()(int) const"},
        NameCase{"main::$_12::operator()()", "", "main::$_::operator()()"},
        NameCase{"main::'lambda0'(int)::operator()(int) const", "", "main::'lambda'(int)::operator()(int) const"},
        NameCase{"main::<lambda(int)>::operator()", "", "main::{lambda(int)}::operator()"},
        NameCase{"app::run::h0123456789abcdef", "", "app::run"},
        NameCase{"", "_ZN3app3run17h0123456789abcdefE", "app::run"},
        NameCase{"<app::A as app::B>::run", "_ZN3app3run17h0123456789abcdefE", "<app::A as app::B>::run"},
        NameCase{"(anonymous namespace in run.cpp)::run()", "", "(anonymous namespace)::run()"},
        NameCase{"{anonymous}::run()", "", "(anonymous namespace)::run()"},
        NameCase{"_GLOBAL__N__7_run_cpp_1234::run()", "", "(anonymous namespace)::run()"}, NameCase{"", "", ""},
        NameCase{"??", "", ""}, NameCase{"0x7f12ab", "", ""}, NameCase{"[unknown]", "", ""},
        NameCase{"libc.so.6+0x12", "", ""}, NameCase{"run$x", "", "run$x"}, NameCase{"a#1", "", "a#1"},
        // A name that only ends like a suffix of a compiler is whole.
        NameCase{".cold", "", ".cold"}, NameCase{"cold", "", "cold"}, NameCase{"partition.2", "", "partition.2"}));

TEST(FunctionName, LosesParametersAndReturnType) {
  EXPECT_EQ(without_parameters("void a::run<int>(std::vector<int>) const"), "a::run<int>");
  EXPECT_EQ(without_parameters("run"), "run");
  EXPECT_EQ(without_parameters("a::operator()(int) const"), "a::operator()");
  EXPECT_EQ(without_parameters("operator new(unsigned long)"), "operator new");
  EXPECT_EQ(without_parameters("(anonymous namespace)::run(void (*)(int))"), "(anonymous namespace)::run");
  EXPECT_EQ(unqualified("void a::run<int>(int)"), "run");
}

TEST(FunctionName, KnowsWhoAsksForMemoryOnly) {
  EXPECT_TRUE(is_allocation_function("malloc"));
  EXPECT_TRUE(is_allocation_function("__GI___libc_malloc"));
  EXPECT_TRUE(is_allocation_function("operator new[](unsigned long)"));
  EXPECT_FALSE(is_allocation_function("my_malloc"));
}

TEST(FunctionName, FindsTheModuleInANamelessName) {
  EXPECT_EQ(module_in_name("/usr/lib/libc.so.6+0x12"), "/usr/lib/libc.so.6");
  EXPECT_EQ(module_in_name("[unknown in libz.so.1]"), "libz.so.1");
  EXPECT_EQ(module_in_name("run+0x12"), "");
}

}  // namespace
}  // namespace allocgate

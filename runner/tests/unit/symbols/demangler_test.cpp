// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/demangler.hpp"

#include "base/file.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace allocgate {
namespace {

using testing::ElementsAre;

TEST(DemangledName, KnowsTheLanguages) {
  EXPECT_EQ(demangled_name("_ZN3app3runEiRKSs"), "app::run(int, std::string const&)");
  EXPECT_EQ(demangled_name("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"), "core::fmt::Formatter::pad");
  EXPECT_EQ(demangled_name("_ZN58_$LT$alloc..string..String$u20$as$u20$core..fmt..Debug$GT$3fmt17h0123456789abcdefE"),
            "<alloc::string::String as core::fmt::Debug>::fmt");
  EXPECT_EQ(demangled_name("_RNvC6_123foo3bar"), "123foo::bar");
  EXPECT_EQ(demangled_name("_RNvNtCs1234_7mycrate3foo3bar"), "mycrate::foo::bar");
}

TEST(DemangledName, IsEmptyForWhatIsNotMangled) {
  EXPECT_EQ(demangled_name("main"), "");
  EXPECT_EQ(demangled_name("_Zebra"), "");
  EXPECT_EQ(demangled_name("_Ruler"), "");
  EXPECT_EQ(demangled_name(""), "");
}

/// Plays swift-demangle: one line a name.
class PlayedLauncher final : public Launcher {
public:
  LaunchOutcome launch(const LaunchSpec& spec) override {
    argv = spec.argv;
    return outcome;
  }
  std::vector<std::string> argv;
  LaunchOutcome outcome;
};

TEST(NamesForPeople, StartsNothingWithoutSwift) {
  PlayedLauncher launcher;
  const std::vector<std::string_view> symbols = {"main", "_Z3runv"};
  EXPECT_THAT(names_for_people(symbols, launcher), ElementsAre("main", "run()"));
  EXPECT_TRUE(launcher.argv.empty());
}

TEST(NamesForPeople, LeavesSwiftNamesWhereTheyCannotBeRead) {
  PlayedLauncher launcher;
  launcher.outcome.exit_code = 1;
  const std::vector<std::string_view> symbols = {"$s4main3runyyF"};
  EXPECT_THAT(names_for_people(symbols, launcher), ElementsAre("$s4main3runyyF"));
}

TEST(NamesForPeople, AsksTheToolOfSwift) {
  const TemporaryFolder folder;
  const std::filesystem::path tool = folder.path() / "swift-demangle";
  write_file_atomically(tool, "#!/bin/sh\n");
  std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", folder.path().c_str(), 1);
  PlayedLauncher launcher;
  launcher.outcome.standard_output = "main.run() -> ()\nmain.walk() -> ()\n";
  const std::vector<std::string_view> symbols = {"$s4main3runyyF", "main", "$s4main4walkyyF"};
  EXPECT_THAT(names_for_people(symbols, launcher), ElementsAre("main.run() -> ()", "main", "main.walk() -> ()"));
  EXPECT_THAT(launcher.argv, ElementsAre("swift-demangle", "-compact", "--", "$s4main3runyyF", "$s4main4walkyyF"));
  ::setenv("PATH", path.c_str(), 1);
}

TEST(IsSwift, GoesByTheBeginning) {
  EXPECT_TRUE(is_swift("$s4main3runyyF"));
  EXPECT_TRUE(is_swift("_$s4main3runyyF"));
  EXPECT_FALSE(is_swift("_Z3runv"));
  EXPECT_FALSE(is_swift("session"));
}

}  // namespace
}  // namespace allocgate

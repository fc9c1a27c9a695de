// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/preload.hpp"

#include "base/error.hpp"
#include "scratch_folder.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

std::string message_of(std::string_view allocator) {
  try {
    return "found " + find_allocator(allocator).path.string();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::usage);
    return error.what();
  }
}

TEST(PreloadValue, PutsTheHooksFirst) {
  const ScratchFolder scratch;
  Preload preload;
  preload.forwarder = scratch.write("forwarder.so", "");
  preload.allocator = scratch.write("allocator.so", "");
  preload.hooks = scratch.write("hooks.so", "");
  preload.existing = "/their/own.so another.so";
  EXPECT_EQ(preload_value(preload, scratch.path()), preload.hooks.string() + ":" + preload.allocator.string() + ":" +
                                                        preload.forwarder.string() + ":/their/own.so:another.so");
}

TEST(PreloadValue, DoesNotLoadTheHooksTwice) {
  const ScratchFolder scratch;
  Preload preload;
  preload.hooks = scratch.write("hooks.so", "");
  preload.existing = "/elsewhere/hooks.so:/their/own.so";
  EXPECT_EQ(preload_value(preload, scratch.path()), preload.hooks.string() + ":/their/own.so");
}

TEST(PreloadValue, ReachesUnfitPathsThroughALink) {
  const ScratchFolder scratch;
  for (const char* name : {"with space", "with:colon", "m\xC3\xBCtter", "$ORIGIN"}) {
    const std::filesystem::path folder = scratch.path() / name;
    std::filesystem::create_directory(folder);
    const ScratchFolder links;
    Preload preload;
    preload.hooks = scratch.write(std::string(name) + "/hooks.so", "content");
    const std::string value = preload_value(preload, links.path());
    EXPECT_EQ(value.find_first_of(" :$"), std::string::npos) << value;
    EXPECT_EQ(std::filesystem::path(value).parent_path(), links.path());
    EXPECT_TRUE(std::filesystem::equivalent(value, preload.hooks));
  }
}

TEST(PreloadValue, SaysThatALibraryIsMissing) {
  const ScratchFolder scratch;
  Preload preload;
  preload.hooks = "/no/such/hooks.so";
  try {
    preload_value(preload, scratch.path());
    ADD_FAILURE() << "the loader would only warn";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::not_measured);
    EXPECT_NE(std::string(error.what()).find("/no/such/hooks.so is missing"), std::string::npos) << error.what();
  }
}

TEST(FindAllocator, HasNoLibraryForTheSystem) {
  EXPECT_TRUE(find_allocator("system").path.empty());
}

TEST(FindAllocator, FindsALibraryOrSaysWhatToInstall) {
  for (const char* name : {"mimalloc", "jemalloc", "tcmalloc"}) {
    const std::string message = message_of(name);
    EXPECT_TRUE(message.starts_with("found /") || message.find("apt-get install lib") != std::string::npos) << message;
  }
}

TEST(FindAllocator, TakesAPath) {
  // This program itself is an ELF file of this machine, as a library is.
  EXPECT_EQ(find_allocator("/proc/self/exe").path, "/proc/self/exe");
}

TEST(FindAllocator, RefusesWhatIsNoAllocator) {
  const ScratchFolder scratch;
  EXPECT_NE(message_of("nomalloc").find("no such allocator"), std::string::npos);
  EXPECT_NE(message_of("/no/such.so").find("no such file"), std::string::npos);
  EXPECT_NE(message_of(scratch.write("text.so", "text").string()).find("no shared library"), std::string::npos);
}

}  // namespace
}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "testbed/detect_testbed.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TestbedFacts debian() {
  TestbedFacts facts;
  facts.os_release = "PRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\nVERSION_ID=\"12\"\nID=debian\n";
  facts.arch = "x86_64";
  facts.kernel = "Linux 6.1.0-37-amd64";
  facts.libc = "glibc 2.36";
  facts.stdlib = "libstdc++ 12";
  facts.compiler = "gcc 12.2";
  facts.cpu_info = "processor\t: 0\nmodel name\t: A Processor @ 2.00GHz\nmodel name\t: another\n";
  return facts;
}

TEST(MakeTestbed, MakesAReadableId) {
  const Testbed testbed = make_testbed(debian(), "system", {{"asio", "1.22.1"}});
  EXPECT_EQ(testbed.id, "debian12-x86_64-glibc2.36-gcc12.2");
  EXPECT_EQ(testbed.fields.at("os"), "debian 12");
  EXPECT_EQ(testbed.fields.at("kernel"), "Linux 6.1");
  EXPECT_EQ(testbed.fields.at("cpu"), "A Processor @ 2.00GHz");
  EXPECT_EQ(testbed.fields.at("allocator"), "system");
  EXPECT_EQ(testbed.fields.at("core.asio"), "1.22.1");
}

TEST(MakeTestbed, LeavesOutWhatIsNotKnown) {
  const Testbed testbed = make_testbed({}, "system", {});
  EXPECT_EQ(testbed.fields.count("cpu"), 0U);
  EXPECT_EQ(testbed.fields.count("kernel"), 0U);
  EXPECT_FALSE(testbed.id.empty()) << "it is a folder's name";
}

TEST(MakeTestbed, IdIsAFolderName) {
  TestbedFacts facts = debian();
  facts.os_release = "ID='../we ird/'\nVERSION_ID=1\n";
  EXPECT_EQ(make_testbed(facts, "system", {}).id.find('/'), std::string::npos);
}

TEST(ReadTestbedFacts, KnowsThisMachine) {
  const TestbedFacts facts = read_testbed_facts();
  EXPECT_FALSE(facts.arch.empty());
  EXPECT_NE(facts.kernel.find("Linux"), std::string::npos);
  EXPECT_NE(facts.compiler.find('.'), std::string::npos);
}

}  // namespace
}  // namespace allocgate

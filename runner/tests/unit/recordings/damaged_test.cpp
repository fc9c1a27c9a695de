// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_text.hpp"

#include <gmock/gmock.h>

#include <random>

namespace allocgate {
namespace {

using testing::HasSubstr;

TEST(Damaged, SaysWhatAndWhere) {
  EXPECT_EQ(refusal_of(""), "it is empty; record it again");
  EXPECT_EQ(refusal_of(" \n\n"), "there is nothing in it; record it again");
  EXPECT_EQ(refusal_of(gzipped("")), "there is nothing in it; record it again");
  EXPECT_THAT(refusal_of("hello world\n"), HasSubstr("it is no recording that we know"));
  EXPECT_THAT(refusal_of("{\"a\": 1}"), HasSubstr("no JSON with call stacks"));
  EXPECT_EQ(refusal_of("main;a 5\nmain;b\n"),
            "line 2: it is not folded stacks: a stack ends with a space and a whole number");
  EXPECT_THAT(refusal_of("main;a 5\nmain;b 12"), HasSubstr("line 2: the last line has no end: the file was cut"));
  EXPECT_THAT(refusal_of("@a[\n    malloc+0\n"), HasSubstr("has no value: the file was cut"));
  EXPECT_THAT(refusal_of("\n  a`malloc\n  a`main\n 5\n\n  a`malloc\n"), HasSubstr("line 6 has no count"));
  EXPECT_THAT(refusal_of("v 10400 3\ns 9 abc\n"), HasSubstr("line 2"));
  EXPECT_THAT(refusal_of("@a: 5\n@b[x]: 3\n@c[\n    malloc+0\n]: none\n"), HasSubstr("no stack is in it"));
}

std::string packed_example() {
  std::string folded;
  std::mt19937 random(3);
  for (int i = 0; i < 300; ++i) {
    folded += "main;f" + std::to_string(random()) + " 1\n";
  }
  return folded;
}

/// However much of a compressed file is missing, it is refused.
TEST(Damaged, NoCutOfACompressedFileIsRead) {
  const std::string pprof = to_pprof(read_text(packed_example()));
  const std::string gzip = gzipped(packed_example());
  for (const std::string& whole : {pprof, gzip}) {
    ASSERT_EQ(refusal_of(whole), "");
    for (std::size_t length = 0; length < whole.size(); length += 1 + whole.size() / 150) {
      EXPECT_NE(refusal_of(whole.substr(0, length)), "") << length << " of " << whole.size();
    }
    EXPECT_NE(refusal_of(whole.substr(0, whole.size() - 1)), "");
  }
}

/// Whatever bytes come: they are read or refused with a place, and nothing else happens.
TEST(Damaged, ChangedBytesAreReadOrRefused) {
  std::unique_ptr<ByteSource> source;
  const TemporaryFolder folder;
  write_file_atomically(folder.path() / "p", to_pprof(read_text("main;run(int);malloc 5\nmain;a 3\n")));
  source = open_recording(folder.path() / "p");
  const std::string pprof = read_all(*source);
  std::mt19937 random(11);
  for (int round = 0; round < 3000; ++round) {
    std::string changed = pprof;
    for (int i = 0; i < 1 + round % 3; ++i) {
      changed[random() % changed.size()] = static_cast<char>(random());
    }
    try {
      read_pprof(changed, "changed");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::unreadable_input);
      EXPECT_THAT(error.what(), HasSubstr("changed: byte "));
    }
  }
}

}  // namespace
}  // namespace allocgate

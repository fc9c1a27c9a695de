// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "base/file.hpp"
#include "json/stack_documents.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/example_texts.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_text.hpp"

#include <gmock/gmock.h>

#include <random>

namespace allocgate {
namespace {

using testing::HasSubstr;
using testing::Not;

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

/// A zstd file whose blocks are not compressed, as RFC 8878 has it: what is cut is then only its own.
std::string stored_as_zstd(std::string_view text) {
  std::string file("\x28\xb5\x2f\xfd\x00\x58", 6);  // no checksum, a window of 2 MiB
  constexpr std::size_t k_block = 100;
  do {
    const std::string_view block = text.substr(0, k_block);
    text.remove_prefix(block.size());
    const std::size_t header = block.size() << 3U | (text.empty() ? 1U : 0U);
    for (const unsigned shift : {0U, 8U, 16U}) {
      file += static_cast<char>(header >> shift & 0xffU);
    }
    file += block;
  } while (!text.empty());
  return file;
}

/// Formats whose end can be known: whatever is missing, they are refused.
TEST(Damaged, NoCutOfAFileWithAnEndIsRead) {
  Recording recording = read_text(k_heaptrack);
  const std::string own = stacks_to_json(recording, list_stacks(recording, {}));
  const std::string summary =
      "reading file \"a.zst\"\n" + std::string(k_merged) + "calls to allocation functions: 19 (73000/s)\n";
  for (const std::string& whole : {std::string(k_heaptrack), std::string(k_dhat), own, summary}) {
    ASSERT_EQ(refusal_of(whole), "");
    for (const std::string& packed : {whole, gzipped(whole), stored_as_zstd(whole)}) {
      ASSERT_EQ(refusal_of(packed), "");
      // JSON may be without the last newline.
      const std::size_t needed = packed.size() - (packed.ends_with("}\n") ? 1 : 0);
      for (std::size_t length = 0; length < needed; ++length) {
        const std::string refusal = refusal_of(packed.substr(0, length));
        EXPECT_NE(refusal, "") << length << " of " << packed.size() << ": " << packed.substr(0, length);
        EXPECT_THAT(refusal, Not(HasSubstr("another exit code")));
      }
    }
  }
}

/// Formats that may end after any stack: a cut within one is refused, one between two gives the stacks before it.
TEST(Damaged, NoCutWithinAStackIsRead) {
  for (const std::string_view whole : {std::string_view("main;a 15\nmain;b;c 22\n"), k_dtrace, k_bpftrace}) {
    ASSERT_EQ(refusal_of(whole), "");
    const std::map<std::string, Count> all = stacks_of(read_text(whole));
    for (std::size_t length = 1; length < whole.size(); ++length) {
      const std::string_view part = whole.substr(0, length);
      if (!refusal_of(part).empty()) {
        continue;
      }
      EXPECT_EQ(part.back(), '\n') << part;
      for (const auto& [stack, count] : stacks_of(read_text(part))) {
        EXPECT_LE(count, all.at(stack)) << part;
      }
    }
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

TEST(Damaged, ChangedTextsAreReadOrRefused) {
  std::mt19937 random(12);
  const std::string folded = "main;run(int);malloc 5\nmain;a 3\n";
  for (const std::string_view whole : {std::string_view(folded), k_heaptrack, k_dhat, k_merged, k_dtrace, k_bpftrace}) {
    for (const std::string& file : {std::string(whole), gzipped(whole), stored_as_zstd(whole)}) {
      for (int round = 0; round < 200; ++round) {
        std::string changed = file;
        changed[random() % changed.size()] = static_cast<char>(random());
        EXPECT_THAT(refusal_of(changed), Not(HasSubstr("another exit code"))) << changed;
      }
    }
  }
}

}  // namespace
}  // namespace allocgate

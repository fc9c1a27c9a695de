// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/stack_documents.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/example_texts.hpp"
#include "recordings/formats.hpp"
#include "recordings/read_text.hpp"

#include <gmock/gmock.h>

namespace allocgate {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(Folded, IsReadWithNamesThatHaveSpaces) {
  const Recording recording = read_text("main;run(int, int);operator new 12\nmain;a%3Bb 3\n\n[not listed] 5\n");
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("[not listed]", 5), Pair("a;b < main", 3),
                                                Pair("operator new < run(int, int) < main", 12)));
  EXPECT_THAT(recording.unlisted(), ElementsAre(5));
  EXPECT_FALSE(recording.has_modules);
}

TEST(Folded, IsReadAsHeaptrackPrintsIt) {
  const Recording recording = read_text("main (h.c);run(int) (h.c);wrap (h.c); 9\n_start; 1\n");
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("_start", 1), Pair("wrap < run(int) < main", 9)));
}

TEST(Folded, ComesBackAsItWasWritten) {
  const Recording recording = read_text("main;a%3Bb;c 3\nmain;d 4\n[not listed] 2\n");
  const std::string text = to_folded(recording, 0);
  EXPECT_EQ(text, "[not listed] 2\nmain;a%3Bb;c 3\nmain;d 4\n");
}

TEST(DTrace, IsReadBetweenWhatTheProgramPrints) {
  const Recording recording = read_text(k_dtrace);
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("calloc < [unknown in app]", 7),
                                                Pair("malloc < operator+(buf const&) < 0x7fff12", 1000)));
  EXPECT_TRUE(recording.has_modules);
}

TEST(Bpftrace, AddsUpMapsByStackAndPassesOverOthers) {
  const Recording recording = read_text(k_bpftrace);
  EXPECT_THAT(stacks_of(recording),
              ElementsAre(Pair("[unknown]", 2), Pair("calloc < main", 10), Pair("malloc < main", 5),
                          Pair("malloc < operator+(buf const&) < 0xabd80ee67d34", 1000)));
  EXPECT_THAT(recording.totals(), ElementsAre(1017));
}

TEST(Bpftrace, IsReadInPerfsLayout) {
  const Recording recording =
      read_text("@[\n\t7f12ab malloc+12 (/usr/lib/libc.so.6)\n\t55d0 main+4 (/bin/app)\n]: 3\n");
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("malloc < main", 3)));
  EXPECT_TRUE(recording.has_modules);
}

TEST(HeaptrackText, KeepsTheLeafAndWhatItLeavesOut) {
  const Recording recording = read_text(k_merged);
  EXPECT_THAT(stacks_of(recording),
              ElementsAre(Pair("0x7f12 < main", 3), Pair("wrap < [other places]", 7), Pair("wrap < viaY < main", 9)));
  EXPECT_THAT(recording.totals(), ElementsAre(19));
  EXPECT_THAT(recording.unlisted(), ElementsAre(7));
  const Frame& leaf = recording.frame(recording.innermost(recording.entry_stack(0)));
  EXPECT_EQ(recording.text(leaf.file), "src/h.c");
  EXPECT_EQ(leaf.line, 5);
  EXPECT_EQ(recording.text(leaf.module), "/bin/app");
}

TEST(HeaptrackText, BelievesItsTotal) {
  const Recording recording =
      read_text(std::string(k_merged) + "total runtime: 0.00s.\ncalls to allocation functions: 73 (73000/s)\n");
  EXPECT_THAT(recording.totals(), ElementsAre(73));
  EXPECT_EQ(stacks_of(recording)["[not listed]"], 54);
  EXPECT_THAT(refusal_of(std::string(k_merged) + "calls to allocation functions: 7 (1/s)\n"),
              testing::HasSubstr("the file is damaged"));
}

TEST(HeaptrackText, IsReadWithoutMergedBacktraces) {
  const Recording recording = read_text(
      "MOST CALLS TO ALLOCATION FUNCTIONS\n"
      "16 calls to allocation functions with 0B peak consumption from\n"
      "  work(int)\n    at /t.cpp:7\n    in /t\n  main\n    at /t.cpp:8\n    in /t\n\n"
      "2 calls to allocation functions with 0B peak consumption from\n  main\n    in /t\n\n");
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("main", 2), Pair("work(int) < main", 16)));
}

TEST(HeaptrackData, IsReplayed) {
  const Recording recording = read_text(k_heaptrack);
  EXPECT_THAT(stacks_of(recording),
              ElementsAre(Pair("[unknown in app] < helper < run < main", 1), Pair("helper < run < main", 3)));
  EXPECT_EQ(recording.command, "./app --fast");
  EXPECT_THAT(recording.totals(), ElementsAre(4, 53, 2, 2, 32, 1));
  EXPECT_EQ(recording.entry_size_class(0), 4);  // 16 bytes: the slot of 9-16
  EXPECT_TRUE(recording.frame(recording.innermost(recording.entry_stack(0))).inlined);
  EXPECT_TRUE(recording.notes.empty());
}

TEST(HeaptrackData, IsRefusedWithoutItsEnd) {
  EXPECT_THAT(refusal_of(k_heaptrack.substr(0, k_heaptrack.find("# strings"))),
              testing::HasSubstr("the mark at the end ('# ips: ...') is missing"));
}

TEST(HeaptrackData, IsReadCompressed) {
  EXPECT_THAT(read_text(gzipped(k_heaptrack)).totals(), ElementsAre(4, 53, 2, 2, 32, 1));
}

TEST(HeaptrackData, RefusesWhatWasNotInterpreted) {
  EXPECT_THAT(refusal_of("v 10400 3\nx 8 /bin/app\n"), testing::HasSubstr("heaptrack_interpret"));
  EXPECT_EQ(refusal_of("v 10400 4\ns 1 a\n"), "line 1: it is of version 4, and versions 1 to 3 can be read");
}

TEST(Dhat, IsRead) {
  const Recording recording = read_text(k_dhat);
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("malloc < run(int) < [unknown in app]", 4)));
  EXPECT_THAT(recording.totals(), ElementsAre(4, 100, 1, 25));
}

TEST(Dhat, ComesBackAsItWasWritten) {
  const Recording recording = read_text(k_heaptrack);
  const Recording again = recording_from_json(to_dhat(recording), "again");
  EXPECT_EQ(stacks_of(again), stacks_of(recording));
  EXPECT_EQ(stacks_of(again, 1), stacks_of(recording, 1));
}

TEST(OwnJson, KeepsPlaces) {
  Recording recording = read_text(k_heaptrack);
  const Recording again = read_text(stacks_to_json(recording, list_stacks(recording, {})));
  EXPECT_EQ(stacks_of(again), stacks_of(recording));
  const Frame& leaf = again.frame(again.innermost(again.entry_stack(0)));
  EXPECT_EQ(place_of(again, leaf), "a b.c:7");
}

TEST(OwnJson, ComesBackWithWhatWasNotShown) {
  Recording recording = read_text("main;a 5\nmain;b 3\n[not listed] 2\n");
  ListingOptions options;
  options.least = 4;
  const Recording again = read_text(stacks_to_json(recording, list_stacks(recording, options)));
  EXPECT_THAT(stacks_of(again), ElementsAre(Pair("[not listed]", 5), Pair("a < main", 5)));
}

}  // namespace
}  // namespace allocgate

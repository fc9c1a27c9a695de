// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/stack_documents.hpp"
#include "recordings/byte_source.hpp"
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
  const Recording recording = read_text(
      "dtrace: description 'pid$target::malloc:entry' matched\nhello 12\n\n"
      "              libdemo.so`malloc\n              app`operator+(buf const&)+0x1c\n              0x7fff12\n"
      "            1000\n\n"
      "              libdemo.so`calloc\n              app`0x55d0\n            7\n");
  EXPECT_THAT(stacks_of(recording), ElementsAre(Pair("calloc < [unknown in app]", 7),
                                                Pair("malloc < operator+(buf const&) < 0x7fff12", 1000)));
  EXPECT_TRUE(recording.has_modules);
}

TEST(Bpftrace, AddsUpMapsByStackAndPassesOverOthers) {
  const Recording recording = read_text(
      "Attaching 14 probes...\nprogram: 5\n@other: 12\n@pair[a, b]: 3\n@h: \n[2, 4)   1 |@@|\n\n"
      "@callocs[\n    calloc+0\n    main+1\n]: 4\n"
      "@mallocs[\n    malloc+0\n    operator+(buf const&)+28\n    0xabd80ee67d34\n]: 1000\n"
      "@sizes[\n    malloc+0\n]: \n[2, 4)   1 |@@|\n\n"
      "@with_more[12, \n    malloc+0\n    main+3\n, demo]: 5\n"
      "@mallocs[\n    calloc+0\n    main+77\n]: 6\n@empty[\n]: 2\n");
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

constexpr std::string_view k_merged =
    "MOST CALLS TO ALLOCATION FUNCTIONS\n"
    "16 calls to allocation functions with 0B peak consumption from\n"
    "wrap\n  at src/h.c:5\n  in /bin/app\n"
    "9 calls with 0B peak consumption from:\n"
    "    viaY\n      at src/h.c:7\n      in /bin/app\n    main\n      at src/h.c:8\n      in /bin/app\n"
    "  and 7 from 1 other places\n\n"
    "3 calls to allocation functions with 72.70K peak consumption from\n"
    "0x7f12\n  in ??\n"
    "3 calls with 72.70K peak consumption from:\n    main\n      in /bin/app\n\n"
    "PEAK MEMORY CONSUMERS\n48B peak memory consumed over 99 calls from\nwrap\n\n";

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

constexpr std::string_view k_heaptrack =
    "v 10400 3\nX ./app --fast\nI 1000 10\ns 8 /bin/app\ns 3 run\ns 5 a b.c\ns 4 main\ns 6 helper\n"
    "i 1000 1 4 3 9\n"
    "t 1 0\n"
    "i 2000 1 5 3 7 2 3 8\n"
    "t 2 1\n"
    "i 3000 1\n"
    "t 3 2\n"
    "a 10 2\n+ 0\n- 0\n+ 0\na 5 3\n+ 1\n+ 0\n- 1\nc 10\nR 5\n# strings: 5\n# ips: 3\n";

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

TEST(HeaptrackData, SaysThatItsEndIsMissing) {
  EXPECT_EQ(read_text(k_heaptrack.substr(0, k_heaptrack.find("# strings"))).notes.size(), 1);
}

TEST(HeaptrackData, IsReadCompressed) {
  EXPECT_THAT(read_text(gzipped(k_heaptrack)).totals(), ElementsAre(4, 53, 2, 2, 32, 1));
}

TEST(HeaptrackData, RefusesWhatWasNotInterpreted) {
  EXPECT_THAT(refusal_of("v 10400 3\nx 8 /bin/app\n"), testing::HasSubstr("heaptrack_interpret"));
  EXPECT_EQ(refusal_of("v 10400 4\ns 1 a\n"), "line 1: it is of version 4, and versions 1 to 3 can be read");
}

constexpr std::string_view k_dhat =
    R"json({"dhatFileVersion":2,"mode":"heap","verb":"Allocated","bklt":true,"bkacc":false,
"tu":"instrs","Mtu":"Minstr","tuth":500,"cmd":"./app","pid":1,"te":9,"tg":4,
"pps":[{"tb":100,"tbk":4,"tl":1,"mb":1,"mbk":1,"gb":0,"gbk":0,"eb":25,"ebk":1,"fs":[1,2,3]}],
"ftbl":["[root]","0x1095BB: malloc (in /usr/lib/libc.so.6)","0x12: run(int) (run.cpp:12)","0x9: ??? (in /bin/app)"]})json";

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

TEST(OwnJson, ComesBackWithWhatWasNotShown) {
  Recording recording = read_text("main;a 5\nmain;b 3\n[not listed] 2\n");
  ListingOptions options;
  options.least = 4;
  const Recording again = read_text(stacks_to_json(recording, list_stacks(recording, options)));
  EXPECT_THAT(stacks_of(again), ElementsAre(Pair("[not listed]", 5), Pair("a < main", 5)));
}

}  // namespace
}  // namespace allocgate

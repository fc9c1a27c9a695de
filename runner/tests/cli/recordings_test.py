# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`stacks` and `diff` on recordings of real programs: heaptrack's of one program built in seven ways, what Go's pprof
opens, and recordings of a million stacks."""

import gzip
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import unittest

from command_under_test import ALLOCGATE, FolderTest, run

CXX = os.environ["CXX_FOR_TESTS"]
K_MOST_BYTES = 2 * 1024**3

# What each build shares: sites in a static function, an anonymous namespace, a template, a lambda and a library. `leaf`
# is called twice in a row; PLANTED adds one allocation at a new site.
PROGRAM = r"""
#include <cstdlib>
#include <string>
#include <vector>
void* keep;
void from_library(int n);
static __attribute__((noinline)) void fill(int n) { keep = malloc(n); free(keep); }
namespace { __attribute__((noinline)) void hidden(int n) { keep = calloc(1, n); free(keep); asm volatile(""); } }
template <class T> __attribute__((noinline)) void make(T n) { keep = malloc(sizeof(T) + n); free(keep); asm volatile(""); }
static INLINE void step(int n) { fill(n + 1); asm volatile(""); }
__attribute__((noinline)) void work(int n) {
  step(n); asm volatile("");
  hidden(n); asm volatile("");
  make<long>(n); make<int>(n); asm volatile("");
  from_library(n);
#ifdef PLANTED
  keep = malloc(1234); free(keep);
#endif
  asm volatile("");
}
int main() {
  for (int i = 1; i < 50; ++i) work(i);
  auto lambda = [](int n) { keep = malloc(n); free(keep); };
  lambda(5);
}
"""
LIBRARY = """
#include <cstdlib>
extern void* keep;
void from_library(int n) { keep = malloc(n); free(keep); asm volatile(""); }
"""
NOINLINE = "-DINLINE=__attribute__((noinline))"
INLINE = ["-UINLINE", "-DINLINE=inline __attribute__((always_inline))"]


def installed(program):
    return shutil.which(program) is not None


def delta_sum(diff):
    lists = [diff[name] for name in ("only_in_before", "only_in_after", "changed", "paired")]
    return sum(row["delta"] for rows in lists for row in rows) + diff.get("hidden", {"delta": 0})["delta"]


class SevenBuilds:
    """Builds that differ in what is not the program: the difference is exactly the planted allocation. Whoever has this
    class says how a program is recorded."""

    def recorded(self, name, *flags, program="app", prefix="", strip=False):
        folder = self.folder / name
        folder.mkdir()
        (folder / "program.cpp").write_text(prefix + PROGRAM)
        (folder / "library.cpp").write_text(prefix + LIBRARY)
        debug = [] if strip else ["-g"]
        library = folder / "liblibrary.so"
        subprocess.run([CXX, "-O2", *debug, "-shared", "-fPIC", "-o", library, folder / "library.cpp"], check=True)
        subprocess.run([CXX, "-O2", *debug, NOINLINE, "-rdynamic", *flags, "-o", folder / program,
                        folder / "program.cpp", library, f"-Wl,-rpath,{folder}"], check=True)
        return self.record(folder, folder / program)

    def difference(self, before, after, *options):
        done = run("diff", before, after, "--format", "json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        diff = json.loads(done.stdout)
        self.assertEqual(delta_sum(diff), diff["total"]["delta"])
        return diff

    def assert_only_planted(self, diff):
        self.assertEqual(diff["total"]["delta"], 49)
        self.assertEqual(diff["changed"], [])
        self.assertEqual(diff["only_in_before"], [])
        self.assertEqual([row["delta"] for row in diff["paired"]], [0] * len(diff["paired"]))
        self.assertEqual([row["delta"] for row in diff["only_in_after"]], [49])
        self.assertIn("work(int)", diff["only_in_after"][0]["frames"][0])

    def assert_planted_is_the_difference(self, name, *flags, pairs=False, **build):
        before = self.recorded("before")
        after = self.recorded("after_" + name, "-DPLANTED", *flags, **build)
        diff = self.difference(before, after)
        self.assert_only_planted(diff)
        self.assertEqual(bool(diff["paired"]), pairs)
        return diff

    def test_the_same_build_has_the_planted_line(self):
        diff = self.assert_planted_is_the_difference("same")
        line = 1 + PROGRAM[:PROGRAM.index("keep = malloc(1234)")].count("\n")
        self.assertTrue(diff["only_in_after"][0]["places"][0].endswith(f"program.cpp:{line}"))

    def test_lines_shifted_by_seven_in_another_folder(self):
        self.assert_planted_is_the_difference("shifted", prefix="\n" * 7)

    def test_another_name_of_the_executable(self):
        self.assert_planted_is_the_difference("renamed", program="another")

    def test_not_position_independent(self):
        self.assert_planted_is_the_difference("no_pie", "-no-pie", "-fno-pie")

    def test_one_call_inlined_that_was_not(self):
        self.assert_planted_is_the_difference("inlined", *INLINE)

    def test_without_debug_data(self):
        before = self.recorded("before")
        after = self.recorded("after_bare", strip=True)
        diff = self.difference(before, after)
        self.assertEqual(diff["total"]["delta"], 0)
        # Frames without debug data have no inlined callers and bare names: pairs at most, each without a difference.
        self.assertEqual(diff["changed"], [])
        self.assertEqual([row["delta"] for row in diff["paired"]], [0] * len(diff["paired"]))
        self.assertEqual(sum(row["delta"] for row in diff["only_in_before"] + diff["only_in_after"]), 0)

    def test_one_call_inlined_without_debug_data(self):
        before = self.recorded("before", strip=True)
        after = self.recorded("after_inlined", "-DPLANTED", *INLINE, strip=True)
        diff = self.difference(before, after)
        self.assert_only_planted(diff)
        self.assertEqual(len(diff["paired"]), 1)
        longer, shorter = diff["paired"][0]["before_frames"], diff["paired"][0]["frames"]
        self.assertEqual([name for name in longer if name not in shorter], ["step(int)"])

    def test_a_recording_with_itself_and_with_a_second_one_is_empty(self):
        first = self.recorded("first")
        second = self.recorded("second")
        for other in (first, second):
            diff = self.difference(first, other)
            self.assertEqual([diff[name] for name in ("only_in_before", "only_in_after", "changed", "paired")], [[]] * 4)


@unittest.skipUnless(platform.machine() == "x86_64", "call stacks are recorded on x86-64 only")
class SevenBuildsRecorded(SevenBuilds, FolderTest):
    """The same by our own recordings."""

    def record(self, folder, program):
        done = run("record", "-o", folder / "recording.pb.gz", "--", program,
                   env=os.environ | {"ALLOCGATE_CACHE_DIR": str(self.folder / "cache")})
        self.assertEqual(done.returncode, 0, done.stderr)
        return folder / "recording.pb.gz"


@unittest.skipUnless(installed("heaptrack") and installed("heaptrack_print"), "heaptrack is not installed (Debian: heaptrack)")
class SevenBuildsByHeaptrack(SevenBuilds, FolderTest):
    """By heaptrack's, and its own words about them."""

    def record(self, folder, program):
        done = subprocess.run(["heaptrack", "-o", folder / "recording", program], capture_output=True, text=True,
                              check=False, timeout=120)
        found = list(folder.glob("recording*.zst")) + list(folder.glob("recording*.gz"))
        self.assertEqual(len(found), 1, done.stdout + done.stderr)
        return found[0]

    def test_counts_are_those_of_heaptrack_print_in_both_modes(self):
        recording = self.recorded("first")
        whole = json.loads(run("stacks", recording, "--format", "json").stdout)
        for merged in "10":
            text = self.folder / f"merged_{merged}.txt"
            limits = ["-a", "1", "-p", "0", "-T", "0", "-n", "1000", "-s", "1000"]
            text.write_text(subprocess.run(["heaptrack_print", "-m", merged, *limits, "-f", recording], check=True,
                                           capture_output=True, text=True).stdout)
            done = run("stacks", text, "--format", "json")
            listed = json.loads(done.stdout)
            self.assertEqual(listed["total"]["allocations"], whole["total"]["allocations"])
            self.assertNotIn("not_listed", listed)
            self.assertEqual(done.stderr, "")
        few = self.folder / "few.txt"
        few.write_text(subprocess.run(["heaptrack_print", "-a", "1", "-p", "0", "-T", "0", "-n", "2", "-s", "1", "-f",
                                       recording], check=True, capture_output=True, text=True).stdout)
        done = run("stacks", few, "--format", "json")
        self.assertEqual(json.loads(done.stdout)["total"], {"allocations": whole["total"]["allocations"]})
        self.assertIn("in stacks that it does not list", done.stderr)
        diff = self.difference(few, few)
        self.assertEqual(diff["total"]["delta"], 0)

    def test_a_cut_recording_is_refused(self):
        recording = self.recorded("first").read_bytes()
        cut = self.folder / "cut.zst"
        for length in range(0, len(recording), 1 + len(recording) // 40):
            cut.write_bytes(recording[:length])
            done = run("stacks", cut)
            self.assertEqual((done.returncode, done.stdout), (65, ""), done.stderr)
            self.assertIn("cut.zst", done.stderr)
        cut.write_bytes(recording[:-1])
        done = run("diff", cut, cut)
        self.assertEqual((done.returncode, done.stdout), (65, ""), done.stderr)


@unittest.skipUnless(installed("valgrind"), "valgrind is not installed (Debian: valgrind)")
class Dhat(FolderTest):
    def test_file_of_valgrind_has_its_totals(self):
        source = self.folder / "program.c"
        source.write_text("#include <stdlib.h>\nvoid* volatile keep;\n"
                          "__attribute__((noinline)) void site(int n) { keep = malloc(n); free(keep); }\n"
                          "int main(void) { for (int i = 0; i < 70; ++i) site(10); keep = calloc(3, 4); return 0; }\n")
        program = self.folder / "program"
        subprocess.run([os.environ["CC_FOR_TESTS"], "-O1", "-g", "-o", program, source], check=True)
        dhat = self.folder / "dhat.json"
        subprocess.run(["valgrind", "-q", "--tool=dhat", f"--dhat-out-file={dhat}", program], check=True,
                       capture_output=True, timeout=120)
        done = run("stacks", dhat, "--format", "json")
        listed = json.loads(done.stdout)
        self.assertEqual(listed["total"], {"allocations": 71, "allocated_bytes": 712, "live_allocations": 1,
                                           "live_bytes": 12})
        self.assertEqual(listed["stacks"][0]["frames"], ["malloc", "site", "main"])
        self.assertTrue(listed["stacks"][0]["places"][1].endswith("program.c:3"))
        # What we write in its format is read back as the same stacks.
        again = self.folder / "again.json"
        self.assertEqual(run("stacks", dhat, "--format", "dhat", "-o", again).returncode, 0)
        diff = json.loads(run("diff", dhat, again, "--format", "json").stdout)
        self.assertEqual((diff["total"]["delta"], diff["unchanged_stacks"]), (0, 2))


@unittest.skipUnless(installed("go"), "go is not installed (Debian: golang-go)")
class GoPprof(FolderTest):
    def top(self, *arguments):
        return subprocess.run(["go", "tool", "pprof", "-top", "-flat", *map(str, arguments)], capture_output=True,
                              text=True, check=True, timeout=120, env=os.environ | {"HOME": str(self.folder)}).stdout

    def test_opens_what_we_write(self):
        folded = self.folder / "a.folded"
        folded.write_text("main;run;site_of_seven 7\nmain;site_of_three 3\n[not listed] 5\n")
        profile = self.folder / "a.pb.gz"
        self.assertEqual(run("stacks", folded, "--format", "pprof", "-o", profile).returncode, 0)
        top = self.top(profile)
        self.assertRegex(top, r"(?m)^\s*7 .*site_of_seven$")
        self.assertRegex(top, r"15 total")
        same = run("diff", folded, profile, "--format", "json")
        self.assertEqual(json.loads(same.stdout)["unchanged_stacks"], 3, same.stderr)


class ManyStacks(FolderTest):
    """Recordings as big programs make them. What is asserted is memory, not time."""

    def call_tree(self, stacks, name):
        """Folded stacks from random walks over a call tree, about 20 deep."""
        chance = random.Random(5)
        path = self.folder / name
        with gzip.open(path, "wt", compresslevel=1) as file:
            walk = ["main"]
            for number in range(stacks):
                del walk[max(1, chance.randrange(len(walk) + 1) - 1):]
                while len(walk) < 20:
                    walk.append(f"f{chance.randrange(3000)}")
                file.write(f"{';'.join(walk)};site{number} {1 + number % 7}\n")
        return path

    def measured(self, *arguments):
        """Standard output, and the greatest memory of the process."""
        output = self.folder / "output"
        with output.open("wb") as file:
            process = subprocess.Popen([ALLOCGATE, *map(str, arguments)], stdout=file)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        scale = 1 if sys.platform == "darwin" else 1024
        return output.read_text(), usage.ru_maxrss * scale

    def test_a_million_stacks_are_compared_within_two_gigabytes(self):
        before = self.call_tree(1_000_000, "before.gz")
        # A gzip file after another is one text with it.
        after = self.folder / "after.gz"
        planted = "".join(f"main;planted{number};site 1\n" for number in range(3))
        after.write_bytes(before.read_bytes() + gzip.compress(planted.encode()))
        text, memory = self.measured("diff", before, after, "--format", "json")
        diff = json.loads(text)
        self.assertEqual(diff["total"]["delta"], 3)
        self.assertEqual(diff["unchanged_stacks"], 1_000_000)
        self.assertEqual(len(diff["only_in_after"]), 3)
        self.assertLess(memory, K_MOST_BYTES)

    def test_above_the_limit_only_inlining_is_looked_for(self):
        def stacks(name, helper):
            path = self.folder / name
            path.write_text("".join(f"main;a;{helper}f{i};malloc 1\n" for i in range(10_001)))
            return path

        done = run("diff", stacks("a", "helper;"), stacks("b", ""), "--format", "json")
        diff = json.loads(done.stdout)
        self.assertEqual((len(diff["paired"]), diff["only_in_before"], diff["only_in_after"]), (10_001, [], []))
        self.assertIn("equal but for inlining", done.stderr)
        self.assertIn("equal but for inlining", diff["notes"][0])



# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Which code is behind a number that moved: check --explain, diff --rev, bisect --stacks, in repositories made here."""

import json
import pathlib
import platform
import shutil
import subprocess
import unittest

import made_history
from command_under_test import FolderTest, run
from made_history import History

# `answer` allocates in a helper of its own; PLANTED puts a copy of it in line 11. MOVED allocates it elsewhere.
SOURCE = """#include <stdlib.h>
#include <string.h>
static void* volatile kept;
__attribute__((noinline)) static void helper(void) { kept = malloc(24); free(kept); }
__attribute__((noinline)) static void other(void) { kept = malloc(24); free(kept); }
__attribute__((noinline)) static void answer(const char* text) {
  %(call)s();
  kept = malloc(strlen(text) + 1);
  free(kept);
#ifdef PLANTED
  kept = strdup(text);
  free(kept);
#endif
}
int main(int argc, char** argv) {
  const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  for (long i = 0; i < rounds; ++i) answer("a request");
  return 0;
}
"""
PLAIN = SOURCE % {"call": "helper"}
PLANTED = "#define PLANTED\n" + PLAIN
MOVED = SOURCE % {"call": "other"}
BUILD = "$CC_FOR_TESTS -O1 -g -o count count.c"
CONFIGURATION = {
    "schema": "allocgate.configuration/1",
    "build": BUILD,
    "workloads": [{"name": "answers", "command": ["./count", "{iterations}"], "iterations": 100}],
}


@unittest.skipUnless(shutil.which("git"), "git is not installed (Debian: git)")
@unittest.skipUnless(platform.machine() == "x86_64", "call stacks are recorded on x86-64 only")
class ExplainTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.history = History(self.folder / "a repository")
        self.top = self.history.top

    def commits(self, *sources):
        mark = None
        for number, source in enumerate(sources):
            mark = self.history.commit(f"Commit {number}", source, mark)
        commits = self.history.write()
        (self.top / "allocgate.json").write_text(json.dumps(CONFIGURATION))
        return commits

    def allocgate(self, *words):
        return run(*words, cwd=self.top, env=made_history.environment_of(self.folder))

    def build(self, source):
        (self.top / "count.c").write_text(source)
        subprocess.run(["sh", "-c", BUILD], cwd=self.top, check=True)


class CheckExplain(ExplainTest):
    def test_names_the_line_against_the_stacks_that_were_kept(self):
        self.commits(PLAIN)
        self.build(PLAIN)
        kept = self.allocgate("baseline", "update", "-m", "as it is", "--with-stacks")
        self.assertEqual(kept.returncode, 0, kept.stderr)
        self.assertIn("kept the call stacks of answers", kept.stderr)
        stacks = list((self.top / "baselines").glob("*/stacks/*.pb.gz"))
        self.assertEqual(len(stacks), 1)
        self.build(PLANTED)
        done = self.allocgate("check", "--explain")
        self.assertEqual(done.returncode, 2, done.stderr)
        said = " ".join(done.stdout.split())
        self.assertIn("at count.c:12 in answer", said)
        self.assertIn("+1 allocations (0 -> 1), +10 allocated_bytes", said)
        # The reports for machines have the line, too.
        judgement = self.folder / "judgement.json"
        self.assertEqual(self.allocgate("check", "--explain", "--format", "json", "--output", judgement).returncode, 2)
        verdict = next(verdict for verdict in json.loads(judgement.read_text())["verdicts"]
                       if verdict.get("measure") == "allocations")
        self.assertEqual(verdict["place"], {"file": "count.c", "line": 12, "function": "answer"})
        self.assertIn("strdup", verdict["explanation"])
        self.assertIn("file=count.c,line=12,", self.allocgate("check", "--explain", "--format", "github").stdout)
        self.assertIn("at count.c:12 in answer", self.allocgate("check", "--explain", "--format", "junit").stdout)
        # A new value has no stacks of the old one.
        self.assertEqual(self.allocgate("baseline", "update", "-m", "accepted").returncode, 0)
        self.assertEqual(list((self.top / "baselines").glob("*/stacks")), [])

    def test_the_third_line_of_a_verdict_explains(self):
        self.commits(PLAIN)
        self.build(PLAIN)
        self.assertEqual(self.allocgate("baseline", "update", "-m", "as it is", "--with-stacks").returncode, 0)
        self.build(PLANTED)
        done = self.allocgate("check")
        line = next(line for line in done.stdout.splitlines() if "explain:" in line).split("explain:")[1]
        again = subprocess.run(line, shell=True, cwd=self.top, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               env=made_history.environment_of(self.folder), check=False)
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertIn("at count.c:12 in answer", again.stdout)

    def test_without_stacks_of_before_it_shows_what_allocates_now(self):
        self.commits(PLAIN)
        self.build(PLAIN)
        self.assertEqual(self.allocgate("baseline", "update", "-m", "as it is").returncode, 0)
        self.build(PLANTED)
        done = self.allocgate("check", "--explain")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("'baseline update --with-stacks' keeps them", " ".join(done.stdout.split()))
        self.assertIn("count.c:9", done.stdout)

    def test_against_a_revision(self):
        self.commits(PLAIN, PLANTED)
        done = self.allocgate("check", "--against-rev", "HEAD~1", "--explain")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("at count.c:12 in answer", " ".join(done.stdout.split()))

    def test_a_damaged_recording_leaves_the_verdict(self):
        self.commits(PLAIN)
        self.build(PLAIN)
        self.assertEqual(self.allocgate("baseline", "update", "-m", "as it is", "--with-stacks").returncode, 0)
        stacks = next((self.top / "baselines").glob("*/stacks/*.pb.gz"))
        stacks.write_bytes(stacks.read_bytes()[:-9])
        self.build(PLANTED)
        done = self.allocgate("check", "--explain")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(stacks.name, done.stdout)

    def test_nothing_red_is_not_explained(self):
        self.commits(PLAIN)
        self.build(PLAIN)
        self.assertEqual(self.allocgate("baseline", "update", "-m", "as it is").returncode, 0)
        done = self.allocgate("check", "--explain")
        self.assertEqual(done.returncode, 0, done.stderr)


class DiffOfRevisions(ExplainTest):
    def diff(self, *words):
        return self.allocgate("diff", *words, "--workload", "answers")

    def test_is_the_planted_change(self):
        commits = self.commits(PLAIN, PLANTED)
        before = self.history.git("status", "--porcelain"), self.history.git("for-each-ref")
        done = self.diff("--rev", commits[1], "--rev", commits[2], "--format", "json")
        self.assertEqual(done.returncode, 0, done.stderr)
        diff = json.loads(done.stdout)
        self.assertEqual(diff["total"]["delta"], 1)
        self.assertEqual(len(diff["only_in_after"]), 1)
        self.assertEqual([diff[name] for name in ("only_in_before", "changed", "paired")], [[], [], []])
        text = self.diff("--rev", commits[1], "--rev", commits[2])
        self.assertIn("count.c:12", text.stdout)
        self.assertNotIn("building", text.stderr, "both are remembered")
        self.assertEqual((self.history.git("status", "--porcelain"), self.history.git("for-each-ref")), before)

    def test_of_the_work_tree_and_a_command(self):
        self.commits(PLAIN)
        (self.top / "count.c").write_text(PLANTED)
        done = self.allocgate("diff", "--rev", "HEAD", "--rev", ".", "--fail-on-increase", "0", "--", "./count", "7")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        self.assertIn("+7 allocations", done.stdout)

    def test_of_the_same_is_empty(self):
        commits = self.commits(PLAIN)
        diff = json.loads(self.diff("--rev", commits[1], "--rev", commits[1], "--format", "json").stdout)
        self.assertEqual([diff[name] for name in ("only_in_before", "only_in_after", "changed", "paired")],
                         [[], [], [], []])
        self.assertEqual(diff["total"]["delta"], 0)

    def test_a_side_that_cannot_be_had_says_why(self):
        commits = self.commits(PLAIN, "this is no C\n")
        done = self.diff("--rev", commits[1], "--rev", commits[2])
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("count.c:1", done.stderr)
        self.assertEqual(done.stdout, "")
        missing = self.allocgate("diff", "--rev", commits[1], "--rev", commits[1], "--workload", "answer")
        self.assertEqual(missing.returncode, 3)
        self.assertIn("did you mean answers?", missing.stderr)

    def test_wrong_use(self):
        for words in (["--rev", "a"], ["--rev", "a", "--rev", "b"], ["x", "y", "--workload", "w"],
                      ["x", "y", "--suite", "s"], ["x", "y", "--setup", "s"], ["x", "y", "--worktrees", "w"],
                      ["x", "y", "--iterations", "5"], ["x", "y", "--jobs", "2"], ["x", "y", "--", "true"],
                      ["x", "--rev", "a", "--rev", "b", "--workload", "w"]):
            self.assertEqual(run("diff", *words).returncode, 64, words)


class BisectStacks(ExplainTest):
    def test_finds_what_moved_and_shows_it(self):
        self.commits(PLAIN, PLAIN, MOVED, MOVED, MOVED, "#define PLANTED\n" + MOVED, "#define PLANTED\n" + MOVED)
        words = ["bisect", "--good", "HEAD~6", "--workload", "answers", "--format", "json"]
        done = self.allocgate(*words)
        self.assertEqual([step["subject"] for step in json.loads(done.stdout)["steps"]], ["Commit 5"], "by sums")
        done = self.allocgate(*words, "--stacks")
        self.assertEqual(done.returncode, 0, done.stderr)
        steps = json.loads(done.stdout)["steps"]
        self.assertEqual([(step["subject"], step["delta"]) for step in steps], [("Commit 2", 0), ("Commit 5", 1)])
        self.assertIn("helper", steps[0]["stacks"])
        self.assertIn("other", steps[0]["stacks"])
        self.assertIn("count.c:12", steps[1]["stacks"])


if __name__ == "__main__":
    unittest.main()

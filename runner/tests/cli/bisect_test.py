# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Which commits, or toolchains, changed a count: in repositories whose history the tests plant."""

import json
import os
import shutil
import signal
import subprocess
import unittest

import made_history
from command_under_test import ALLOCGATE, FolderTest, run, wait_until
from made_history import BROKEN, BUILD, History, source

COMMAND = ("--iterations", "100", "--", "./count", "{iterations}")


@unittest.skipUnless(shutil.which("git"), "git is not installed (Debian: git)")
class BisectTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.history = History(self.folder / "a repository")
        self.top = self.history.top

    def bisect(self, *words, command=COMMAND, **options):
        return run("bisect", "--build", BUILD, *words, *command, cwd=self.top,
                   env=made_history.environment_of(self.folder), **options)

    def found(self, *words, **options):
        done = self.bisect("--format", "json", *words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def line(self, values):
        """One commit a value, on one line."""
        mark = None
        for number, value in enumerate(values):
            content = BROKEN if value is None else source(value)
            mark = self.history.commit(f"Commit {number}", content, mark)
        return self.history.write()


class TwoHundredCommits(BisectTest):
    def test_finds_what_was_planted(self):
        each = 3
        mark = good = self.history.commit("Commit 0", source(each))
        marks = [mark]
        side = None
        for number in range(1, 201):
            each += {37: 2, 90: -1, 120: 1, 128: -1, 151: 1}.get(number, 0)
            broken = number in (60, 61, 62, 63, 150, 151, 152)
            if number == 176:
                # The branch left the line at 170; its third commit of five changed the count.
                branch = marks[170]
                for step in range(5):
                    branch = self.history.commit(f"Branch {step}", source(each + (2 if step >= 2 else 0)), branch,
                                                 branch="side")
                    side = branch if step == 2 else side
                each += 2
                mark = self.history.commit("Merge the branch", source(each), mark, merged=branch)
                merge = mark
            else:
                mark = self.history.commit(f"Commit {number}", BROKEN if broken else source(each), mark)
            marks.append(mark)
        commits = self.history.write()
        before = self.history.git("for-each-ref"), self.history.git("status", "--porcelain"), self.history.git("stash", "list")

        found = self.found("--good", commits[good], "--bad", "trunk", "--grid", "32")

        self.assertEqual([(step["commit"], step["delta"]) for step in found["steps"]],
                         [(commits[marks[37]], 2), (commits[marks[90]], -1), (commits[marks[120]], 1),
                          (commits[marks[128]], -1), (commits[marks[153]], 1), (commits[side], 2)])
        steps = found["steps"]
        self.assertEqual(steps[0]["subject"], "Commit 37")
        self.assertEqual((steps[0]["before"], steps[0]["after"]), (3, 5))
        self.assertEqual([skipped["commit"] for skipped in steps[4]["skipped"]],
                         [commits[marks[number]] for number in (150, 151, 152)])
        self.assertIn("count.c:1", steps[4]["skipped"][0]["reason"], "the compiler's own words")
        self.assertEqual([skipped for step in steps[:4] + steps[5:] for skipped in step["skipped"]], [])
        self.assertEqual(steps[5]["merged_by"], commits[merge])
        self.assertEqual(found["between_ends"]["delta"], sum(step["delta"] for step in steps))
        self.assertLessEqual(found["builds"], 60)
        self.assertEqual((self.history.git("for-each-ref"), self.history.git("status", "--porcelain"),
                          self.history.git("stash", "list")), before)

        # The second time costs nothing, and says the same.
        again = self.found("--good", commits[good], "--bad", "trunk", "--grid", "32")
        self.assertEqual(again["builds"], 0)
        self.assertEqual(again["steps"], steps)

        text = self.bisect("--good", commits[good], "--grid", "32")
        self.assertEqual(text.returncode, 0, text.stderr)
        said = " ".join(text.stdout.split())
        self.assertIn("+2 per iteration 3 per iteration 5 per iteration " + commits[marks[37]][:10], said)
        self.assertIn(f"{commits[side][:10]} came with the merge {commits[merge][:10]}", said)
        self.assertIn("or one of the 3 commits before it", said)
        self.assertIn("Together +4 per iteration: all that lies between the ends.", said)


class Searches(BisectTest):
    def test_the_first_alone_is_gits(self):
        commits = self.line([3] * 20 + [None] + [4] * 10 + [6] * 10)
        found = self.found("--first", "--good", commits[1])
        self.assertEqual(len(found["steps"]), 1)
        step = found["steps"][0]
        # Commit 20 does not build, so the first bad one is it or commit 21.
        self.assertEqual((step["subject"], step["before"], step["after"]), ("Commit 21", 3, 4))
        self.assertEqual([skipped["subject"] for skipped in step["skipped"]], ["Commit 20"])

    def test_a_merge_is_one_step_when_asked(self):
        root = self.history.commit("Root", source(1))
        branch = self.history.commit("Branch", source(2), root, branch="side")
        line = self.history.commit("Line", source(1), root)
        merge = self.history.commit("Merge", source(2), line, merged=branch)
        commits = self.history.write()
        found = self.found("--good", commits[root], "--first-parent")
        self.assertEqual([step["commit"] for step in found["steps"]], [commits[merge]])
        self.assertEqual([step["subject"] for step in self.found("--good", commits[root])["steps"]], ["Branch"])
        self.assertEqual([step["subject"] for step in self.found("--good", commits[root], "--first")["steps"]],
                         ["Branch"])

    def test_a_merge_that_changes_more_than_its_branch_says_so(self):
        root = self.history.commit("Root", source(1))
        branch = self.history.commit("Branch", source(2), root, branch="side")
        line = self.history.commit("Line", source(1), root)
        merge = self.history.commit("Merge", source(5), line, merged=branch)
        commits = self.history.write()
        found = self.found("--good", commits[root])
        self.assertEqual([step["commit"] for step in found["steps"]], [commits[merge]])
        self.assertIn("the merge itself did a part of it", found["steps"][0]["note"])

    def test_steps_that_cancel_need_a_grid(self):
        commits = self.line([3] * 10 + [4] * 3 + [3] * 20)
        self.assertEqual(self.found("--good", commits[1])["steps"], [])
        found = self.found("--good", commits[1], "--grid", "16")
        self.assertEqual([(step["subject"], step["delta"]) for step in found["steps"]],
                         [("Commit 10", 1), ("Commit 13", -1)])

    def test_a_threshold_lets_small_steps_pass(self):
        commits = self.line([100, 101, 102, 200])
        found = self.found("--good", commits[1], "--threshold", "10%")
        self.assertEqual([step["subject"] for step in found["steps"]], ["Commit 3"])
        self.assertIn("the rest came in parts that are allowed",
                      self.bisect("--good", commits[1], "--threshold", "10%").stdout)

    def test_what_happens_once_is_told_from_what_repeats(self):
        first = self.history.commit("Root", source(2, once=1))
        self.history.commit("Start with a table", source(2, once=8), first)
        commits = self.history.write()
        step = self.found("--good", commits[1])["steps"][0]
        self.assertEqual((step["delta"], step["once"]["delta"], step["total"]["delta"]), (0, 7, 7))
        self.assertIn("+7 once", self.bisect("--good", commits[1]).stdout)

    def test_several_at_once_find_the_same(self):
        commits = self.line([1] * 5 + [2] * 9 + [1] * 4)
        one = self.found("--good", commits[1], "--grid", "6")["steps"]
        self.assertEqual(len(one), 2)
        other = made_history.environment_of(self.folder)
        other["ALLOCGATE_CACHE_DIR"] = str(self.folder / "other cache")
        done = run("bisect", "--build", BUILD, "--good", commits[1], "--grid", "6", "--jobs", "3", "--format", "json",
                   *COMMAND, cwd=self.top, env=other)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(done.stdout)["steps"], one)

    def test_a_line_in_the_configuration_builds(self):
        commits = self.line([1, 2])
        (self.top / "allocgate.json").write_text(json.dumps({
            "schema": "allocgate.configuration/1", "build": BUILD,
            "workloads": [{"name": "rounds", "command": ["./count", "{iterations}"], "iterations": 10}]}))
        done = run("bisect", "--good", commits[1], "--workload", "rounds", "--format", "markdown", cwd=self.top,
                   env=made_history.environment_of(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("| +1 per iteration | 1 per iteration | 2 per iteration |", done.stdout)

    def test_sets_up_each_work_tree_once(self):
        commits = self.line([1, 1, 2])
        log = self.folder / "log"
        found = self.found("--good", commits[1], "--setup", f"echo ready >> '{log}'")
        self.assertEqual(found["builds"], 3)
        self.assertEqual(log.read_text(), "ready\n")


class Toolchains(BisectTest):
    def test_names_the_one_from_which_on_it_differs(self):
        self.line([1])
        words = []
        for name, extra in (("one", 0), ("two", 0), ("three", 1), ("four", 1)):
            words += ["--toolchain", f"{name}=EXTRA={extra} CC='a compiler'"]
        build = "sed \"s/k < 1/k < 1+$EXTRA/\" count.c > made.c && $CC_FOR_TESTS -O0 -o count made.c"
        done = run("bisect", "--along", "toolchain", *words, "--build", build, "--format", "json", *COMMAND,
                   cwd=self.top, env=made_history.environment_of(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        found = json.loads(done.stdout)
        self.assertEqual([(step["toolchain"], step["delta"]) for step in found["steps"]], [("three", 1)])
        self.assertEqual(found["steps"][0]["variables"], "CC='a compiler' EXTRA=1")


class Failures(BisectTest):
    def test_an_end_that_does_not_build_decides_nothing(self):
        commits = self.line([None, 2])
        done = self.bisect("--good", commits[1])
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("the good end", done.stderr)
        self.assertIn("count.c:1", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_ends_that_are_no_line(self):
        root = self.history.commit("Root", source(1))
        self.history.commit("Branch", source(2), root, branch="side")
        self.history.commit("Line", source(1), root)
        commits = self.history.write()
        done = self.bisect("--good", "side")
        self.assertEqual(done.returncode, 64, done.stderr)
        self.assertIn(f"parted at {commits[root][:10]}: take that as --good", done.stderr)
        self.assertEqual(self.bisect("--good", "HEAD").returncode, 64)
        self.assertIn("did you mean trunk?", self.bisect("--good", "trunc").stderr)

    def test_a_build_that_hangs_is_ended_and_passed_over(self):
        commits = self.line([1, 1, 2])
        build = f"grep -q 'k < 2' count.c || test $(git rev-parse HEAD) != {commits[2]} || sleep 1000; " + BUILD
        done = run("bisect", "--good", commits[1], "--build", build, "--build-timeout", "1", "--format", "json",
                   *COMMAND, cwd=self.top, env=made_history.environment_of(self.folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        step = json.loads(done.stdout)["steps"][0]
        self.assertEqual([skipped["subject"] for skipped in step["skipped"]], ["Commit 1"])
        self.assertIn("did not end in time", step["skipped"][0]["reason"])

    def interrupted(self, send):
        """Starts a search whose third build waits, ends it there, and lets the same command end the search."""
        commits = self.line([1] * 8 + [2] * 8)
        waits = self.folder / "waits"
        builds = self.folder / "builds"
        build = f"echo x >> '{builds}'; test $(wc -l < '{builds}') != 3 || {{ touch '{waits}'; sleep 1000; }}; " + BUILD
        words = ["bisect", "--good", commits[1], "--build", build, "--format", "json", *COMMAND]
        started = subprocess.Popen([ALLOCGATE, *words], cwd=self.top, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=made_history.environment_of(self.folder))
        wait_until(waits.exists, "the third build")
        send(started)
        started.communicate(timeout=60)
        again = run(*words, cwd=self.top, env=made_history.environment_of(self.folder))
        self.assertEqual(again.returncode, 0, again.stderr)
        found = json.loads(again.stdout)
        self.assertEqual([step["subject"] for step in found["steps"]], ["Commit 8"])
        self.assertEqual(found["remembered"], 2, "the two ends were measured before")
        return started.returncode

    def test_goes_on_after_ctrl_c(self):
        self.assertEqual(self.interrupted(lambda started: os.kill(started.pid, signal.SIGINT)), 130)

    def test_goes_on_after_kill(self):
        self.assertEqual(self.interrupted(lambda started: started.kill()), -signal.SIGKILL)


class UnderGitBisect(BisectTest):
    def check(self, *words):
        return run("check", "--bisect", *words, cwd=self.top, env=made_history.environment_of(self.folder)).returncode

    def configure(self, command):
        (self.top / "allocgate.json").write_text(json.dumps({
            "schema": "allocgate.configuration/1",
            "workloads": [{"name": "rounds", "command": command, "iterations": 10}]}))

    def test_git_finds_the_commit(self):
        commits = self.line([1] * 10 + [None] + [1] * 3 + [2] * 6)
        self.configure(["./count", "{iterations}"])
        script = self.script("bisect.sh", f"#!/bin/sh\n({BUILD}) || exit 125\n"
                                          f"exec {ALLOCGATE} check --bisect --quick --max rounds=1/iteration\n")
        self.history.git("bisect", "start", "trunk", commits[1])
        said = self.history.git("bisect", "run", str(script), env=made_history.environment_of(self.folder))
        self.assertIn(f"{commits[15]} is the first bad commit", said)

    def test_nothing_else_blames_a_commit(self):
        self.line([1])
        subprocess.run(["sh", "-c", BUILD], cwd=self.top, check=True)
        self.configure(["./count", "{iterations}"])
        self.assertEqual(self.check("--max", "rounds=1/iteration"), 0)
        self.assertEqual(self.check("--max", "rounds=0"), 1)
        self.assertEqual(self.check("--max", "rounds=0", "--frobnicate"), 129, "a mistyped option")
        self.assertEqual(self.check("--workload", "round"), 129, "no such workload")
        self.assertEqual(self.check("none.json"), 129, "no such file")
        self.assertEqual(self.check(), 129, "no baseline")
        self.assertEqual(run("chekc", "--bisect").returncode, 129, "a mistyped command")
        self.configure(["./none"])
        self.assertEqual(self.check("--max", "rounds=0"), 125, "it does not run")


if __name__ == "__main__":
    unittest.main()

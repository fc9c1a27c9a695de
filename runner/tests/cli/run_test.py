# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`run`, `check` and `baseline update` on real programs: one that behaves, one that crashes, one that hangs."""

import json
import unittest

from command_under_test import FolderTest, run

# A google-benchmark program as far as the runner sees one that links nothing of ours: a listing and cases by name. What
# a case allocates is decided by a file beside it, so that a later run can differ.
SUITE = """#!/bin/sh
here=${0%/*}
case "$*" in
  *--benchmark_list_tests*) printf 'good\\ncrash\\nhang\\n';;
  *filter=^good*) for i in $(cat "$here/commands"); do /bin/ls / >/dev/null; done;;
  *filter=^crash*) echo 'about to crash'; kill -SEGV $$;;
  *filter=^hang*) sleep 1000;;
esac
"""


class Run(FolderTest):
    def setUp(self):
        super().setUp()
        self.suite = self.script("suite", SUITE)
        self.set_commands(2)

    def set_commands(self, number):
        (self.folder / "commands").write_text("x " * number)

    def test_the_others_go_on_when_one_crashes_or_hangs(self):
        output = self.folder / "result.json"
        done = run("run", "--suite", self.suite, "--timeout", "1", "--format", "json", "--output", output)
        self.assertEqual(done.returncode, 3, done.stderr)
        by_name = {workload["name"]: workload for workload in json.loads(output.read_text())["workloads"]}
        self.assertEqual({name: workload["status"] for name, workload in by_name.items()},
                         {"good": "ok", "crash": "failed", "hang": "timeout"})
        self.assertIn("about to crash", by_name["crash"]["error"])

    def test_text_shows_the_last_lines_of_what_failed(self):
        done = run("run", "--suite", self.suite, "crash", "good", "--quick")
        self.assertEqual(done.returncode, 3)
        self.assertIn("about to crash", done.stdout)
        self.assertIn("1 workload measured, 1 failed", done.stdout)

    def test_check_goes_red_and_names_what_moved(self):
        baselines = self.folder / "b"
        common = ["--suite", self.suite, "--baseline", baselines]
        without = run("check", *common, "--workload", "good")
        self.assertEqual(without.returncode, 5, without.stderr)
        updated = run("baseline", "update", *common, "--reason", "first", "good")
        self.assertEqual(updated.returncode, 0, updated.stdout + updated.stderr)
        same = run("check", *common, "--workload", "good")
        self.assertEqual(same.returncode, 0, same.stdout)
        self.assertIn("exit code 0", same.stdout.splitlines()[-1])

        self.set_commands(3)
        worse = run("check", *common, "--workload", "good")
        self.assertEqual(worse.returncode, 2, worse.stdout)
        for words in ("good", "allocations", "regression", "reproduce:", "explain:", "accept:"):
            self.assertIn(words, worse.stdout)
        self.set_commands(1)
        better = run("check", *common, "--workload", "good", "--on-improvement", "fail")
        self.assertEqual(better.returncode, 4, better.stdout)

    def test_a_workload_that_vanished_is_found(self):
        baselines = self.folder / "b"
        common = ["--suite", self.suite, "--baseline", baselines]
        run("baseline", "update", *common, "--reason", "first", "good")
        self.script("suite", SUITE.replace("good\\n", ""))
        gone = run("check", *common, "--workload", "good")
        self.assertEqual(gone.returncode, 3, gone.stdout)
        self.assertIn("missing", gone.stdout)
        unknown = run("check", *common, "--workload", "goood")
        self.assertEqual(unknown.returncode, 64)
        self.assertIn("did you mean good", unknown.stderr)

    def test_without_hooks_it_runs_bare_and_says_how(self):
        done = run("run", "--suite", self.suite, "--no-hooks", "good")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("--benchmark_filter=^good", done.stderr)
        self.assertNotIn("LD_PRELOAD", done.stderr)

    def test_list_says_how_each_is_started(self):
        done = run("list", "--suite", self.suite, "--commands", "good")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^env -i PATH=\S+ .*suite .*--benchmark_filter=\^good")


if __name__ == "__main__":
    unittest.main()

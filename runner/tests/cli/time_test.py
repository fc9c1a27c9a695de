# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`run --time` and `run --repeat` on a program that links nothing of ours, and what `compare` says of times."""

import json
import shlex
import pathlib
import shutil
import subprocess
import sys
import unittest

from command_under_test import FolderTest, run

FIXTURES = pathlib.Path(__file__).parent / "fixtures"

# Lists one workload, allocates what its file says, and writes down with which libraries it was started.
SUITE = """#!/bin/sh
here=${0%/*}
case "$*" in *--benchmark_list_tests*) echo work; exit 0;; esac
echo "preload=$LD_PRELOAD record=$ALLOCGATE_RECORD" >> "$here/started"
for i in $(cat "$here/commands"); do /bin/ls / >/dev/null; done
"""
TIMES = ("wall_time_ns", "cpu_time_ns", "page_faults", "context_switches")


class Time(FolderTest):
    def setUp(self):
        super().setUp()
        self.suite = self.script("suite", SUITE)
        (self.folder / "commands").write_text("x x")

    def result(self, *arguments, status=0):
        output = self.folder / "result.json"
        done = run("run", "--suite", self.suite, "--quick", "--format", "json", "--output", output, *arguments)
        self.assertEqual(done.returncode, status, done.stderr)
        return json.loads(output.read_text())["workloads"][0], done.stderr

    def test_is_measured_without_the_hooks_after_the_counts(self):
        workload, _ = self.result("--time", "--time-processes", 4)
        for name in TIMES:
            series = workload["measures"][name]
            self.assertEqual(sum(sample["times"] for sample in series["samples"]), 4, name)
            self.assertLessEqual(series["min"], series["median"])
            self.assertLessEqual(series["median"], series["p90"])
            self.assertLessEqual(series["p90"], series["max"])
        started = (self.folder / "started").read_text().splitlines()
        self.assertEqual(started[1:], ["preload= record="] * 4)
        self.assertIn("liballocgate_hooks", started[0])
        self.assertGreater(workload["measures"]["allocations"]["median"], 0)
        self.assertIn("of the whole process", " ".join(workload["notes"]))

    def test_is_not_measured_unasked(self):
        workload, _ = self.result()
        self.assertEqual([name for name in workload["measures"] if name in TIMES], [])
        self.assertEqual(len((self.folder / "started").read_text().splitlines()), 1)

    def test_instructions_of_callgrind_repeat_exactly(self):
        if shutil.which("valgrind") is None:
            self.skipTest("valgrind is not installed (Debian: valgrind)")
        workload, _ = self.result("--instructions", "callgrind", "--time-processes", 1)
        series = workload["measures"]["instructions"]
        self.assertEqual((series["class"], len(series["samples"]), series["samples"][0]["times"]), ("exact", 1, 2))
        fewer = series["median"]
        (self.folder / "commands").write_text("x x x x")
        more = self.result("--instructions", "callgrind", "--time-processes", 1)[0]["measures"]["instructions"]["median"]
        self.assertGreater(more, fewer * 1.3, "the programs that it starts are counted, too")

    def test_says_once_what_the_machine_does_not_count(self):
        workload, err = self.result("--events", "task-clock,cycles", "--time-processes", 1)
        for name in ("instructions", "task-clock", "cycles"):
            self.assertNotEqual(name in workload["measures"], f"{name} is not counted: " in err, err)

    def test_refuses_what_it_does_not_know(self):
        done = run("run", "--suite", self.suite, "--events", "cache-mises")
        self.assertEqual(done.returncode, 64)
        self.assertIn("did you mean cache-misses?", done.stderr)

    def test_needs_valgrind_for_callgrind(self):
        done = run("run", "--suite", self.suite, "--instructions", "callgrind", env={"PATH": "/nowhere"})
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("install the package valgrind", done.stderr)

    def test_may_be_gated_by_a_rule_that_names_it(self):
        arguments = ("--suite", self.suite, "--allow-missing-baseline", "--time-processes", "1")
        ungated = run("check", *arguments)
        self.assertEqual(ungated.returncode, 0, ungated.stdout + ungated.stderr)
        gated = run("check", *arguments, "--threshold", "wall_time_ns=0..1")
        self.assertEqual(gated.returncode, 2, gated.stdout + gated.stderr)
        self.assertIn("wall_time_ns", gated.stdout)

    def test_the_commands_to_paste_are_accepted_and_measure_times_again(self):
        baseline = self.folder / "baselines"
        measuring = ("--suite", self.suite, "--baseline", baseline, "--time", "--time-processes", "1")
        missing = run("check", *measuring)
        self.assertEqual(missing.returncode, 5, missing.stdout + missing.stderr)
        accepted = self.pasted(missing, "accept")
        self.assertEqual(accepted.returncode, 0, accepted.stdout + accepted.stderr)
        gated = run("check", *measuring, "--threshold", "wall_time_ns=0..1")
        self.assertEqual(gated.returncode, 2, gated.stdout + gated.stderr)
        again = self.pasted(gated, "reproduce")
        self.assertEqual(again.returncode, 2, again.stdout + again.stderr)
        self.assertIn("wall_time_ns", again.stdout)

    def pasted(self, done, step):
        """What the first command that `done` printed for this step ends with, run as a person would who pastes it."""
        line = next(line for line in done.stdout.splitlines() if line.strip().startswith(f"{step}:"))
        return run(*shlex.split(line.partition(":")[2])[1:])

    def test_shows_a_table_in_eighty_columns(self):
        done = run("run", "--suite", self.suite, "--quick", "--time", "--time-processes", 2)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"(?m)^workload +wall +fastest +p90 +CPU")
        self.assertIn("CPU-bound", done.stdout)
        about_time = done.stdout.partition("measured on")[2].splitlines()
        self.assertTrue(all(len(line) <= 80 for line in about_time), done.stdout)

    def test_repeat_shows_its_spread(self):
        workload, _ = self.result("--repeat", 3, "--time-processes", 1)
        self.assertEqual(workload["measures"]["allocations"]["repeat_spread"], 0)
        self.assertEqual(workload["measures"]["allocations"]["samples"][0]["times"], 3)
        self.assertGreater(workload["measures"]["wall_time_ns"]["repeat_spread"], 0)
        done = run("run", "--suite", self.suite, "--quick", "--repeat", 2)
        self.assertRegex(done.stdout, r"(?m)^work +allocations +[\d ]+ 0$")

    def test_compare_says_when_time_moved_without_more_work(self):
        for name, times in (("a", "100,110,120"), ("b", "130,140,150")):
            made = subprocess.run([sys.executable, FIXTURES / "make_result", "w", "instructions=7",
                                   f"wall_time_ns={times}", f"cpu_time_ns={times}"], capture_output=True, text=True,
                                  check=True)
            (self.folder / f"{name}.json").write_text(made.stdout)
        done = run("compare", self.folder / "a.json", self.folder / "b.json")
        self.assertIn("w: the instructions are equal (70) and the CPU time is not (+27.3 %)", done.stdout)
        self.assertIn("w: CPU-bound: 100 %", done.stdout)


if __name__ == "__main__":
    unittest.main()

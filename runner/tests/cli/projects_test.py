# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The folders of projects/, each gated by its own allocgate.json: accepted, found unchanged, and red when one more
allocation an iteration is planted."""

import json
import os
import pathlib
import shutil
import subprocess
import unittest

from command_under_test import FolderTest, run

PROJECTS = pathlib.Path(__file__).parent / "projects"
MOST_LINES = 9


class Projects(FolderTest):
    def project(self, name):
        """A copy, in which allocgate runs from a folder below, so that the configuration must be found."""
        folder = self.folder / name
        shutil.copytree(PROJECTS / name, folder)
        self.assertLessEqual(len((folder / "allocgate.json").read_text().splitlines()), MOST_LINES)
        (folder / "below").mkdir()
        return folder

    def compile(self, folder, source, program, *options):
        compiler = os.environ["CXX_FOR_TESTS" if source.endswith("cpp") else "CC_FOR_TESTS"]
        done = subprocess.run([compiler, "-O1", "-o", folder / program, folder / source, *options],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def gate(self, folder, plant, expected):
        below = folder / "below"
        self.assertEqual(run("check", cwd=below).returncode, 5, "there is no baseline yet")
        updated = run("baseline", "update", "--reason", "first", cwd=below)
        self.assertEqual(updated.returncode, 0, updated.stdout + updated.stderr)
        self.assertEqual(len(list(folder.glob("baselines/*/*.json"))), 1, updated.stderr)
        same = run("check", cwd=below)
        self.assertEqual(same.returncode, 0, same.stdout + same.stderr)
        plant()
        worse = run("check", cwd=below)
        self.assertEqual(worse.returncode, 2, worse.stdout + worse.stderr)
        self.assertIn(expected, " ".join(worse.stdout.split()))
        self.assertIn("reproduce: ", worse.stdout)
        # What it says to type next works from where it was said.
        line = next(line for line in worse.stdout.splitlines() if "reproduce:" in line).split("reproduce:")[1]
        again = subprocess.run(line, shell=True, cwd=below, stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(again.returncode, 2, again.stderr)

    def edit(self, file, before, after):
        text = file.read_text()
        self.assertIn(before, text)
        file.write_text(text.replace(before, after))

    def test_a_google_benchmark_program(self):
        folder = self.project("google_benchmark")
        self.compile(folder, "bench.cpp", "bench", "-lbenchmark", "-lpthread")
        self.gate(folder, lambda: self.compile(folder, "bench.cpp", "bench", "-DPLANTED", "-lbenchmark", "-lpthread"),
                  "answer allocations: regression")

    def test_init_finds_a_google_benchmark_program(self):
        folder = self.project("google_benchmark")
        written = (folder / "allocgate.json").read_text()
        self.compile(folder, "bench.cpp", "bench", "-lbenchmark", "-lpthread")
        self.assertEqual(run("init", "--build-dir", ".", cwd=folder).returncode, 64, "it is there already")
        self.assertEqual((folder / "allocgate.json").read_text(), written)
        (folder / "allocgate.json").unlink()
        done = run("init", "--build-dir", ".", cwd=folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads((folder / "allocgate.json").read_text())["suites"], ["bench"])
        self.assertEqual(run("run", "--quick", cwd=folder).returncode, 0)

    def test_a_plain_c_program(self):
        folder = self.project("c")
        self.compile(folder, "count.c", "count")
        self.gate(folder, lambda: self.compile(folder, "count.c", "count", "-DPLANTED"),
                  "+100, +1 per iteration); rule: no increase")

    def test_a_python_script(self):
        folder = self.project("python")
        self.gate(folder, lambda: self.edit(folder / "work.py", "PLANTED = False", "PLANTED = True"),
                  "work allocations: regression")

    def test_a_shell_command(self):
        folder = self.project("shell")
        self.gate(folder, lambda: self.edit(folder / "report.sh", "echo done", "ls /dev/null"),
                  "report allocations: regression")


if __name__ == "__main__":
    unittest.main()

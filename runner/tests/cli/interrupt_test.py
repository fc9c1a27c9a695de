# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What an interrupt, a full disk and a closed pipe leave behind: nothing."""

import pathlib
import resource
import signal
import subprocess
import sys
import unittest

from command_under_test import ALLOCGATE, FolderTest, environment, is_alive, run, wait_until

FIXTURES = pathlib.Path(__file__).parent / "fixtures"

# A program that lists one workload and then never ends.
HANGING_SUITE = """#!/bin/sh
case "$*" in *--benchmark_list_tests*) echo hang; exit 0;; esac
sleep 1000 &
echo $! > "{pid}"
wait
"""


class Interrupt(FolderTest):
    def start(self, *arguments):
        records = self.folder / "records"
        records.mkdir()
        return subprocess.Popen([ALLOCGATE, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True,
                                env=environment(ALLOCGATE_RECORD_DIR=records))

    def expect_nothing_left(self, process, pid_file):
        wait_until(lambda: pid_file.exists() and pid_file.read_text().strip(), "the measured program")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")
        child = int(pid_file.read_text())
        wait_until(lambda: not is_alive(child), "the end of the measured program's child")
        self.assertEqual(list((self.folder / "records").iterdir()), [])
        return err

    def test_run_leaves_no_child_no_record_and_no_file(self):
        pid_file, output = self.folder / "pid", self.folder / "result.json"
        suite = self.script("suite", HANGING_SUITE.format(pid=pid_file))
        process = self.start("run", "--suite", suite, "--format", "json", "--output", output)
        err = self.expect_nothing_left(process, pid_file)
        self.assertIn("interrupted", err.lower())
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["pid", "records", "suite"])

    def test_check_and_update_write_nothing(self):
        for command in (["check"], ["baseline", "update", "-m", "x"]):
            with self.subTest(command=command):
                self.setUp()
                pid_file, baselines = self.folder / "pid", self.folder / "b"
                suite = self.script("suite", HANGING_SUITE.format(pid=pid_file))
                self.expect_nothing_left(self.start(*command, "--suite", suite, "--baseline", baselines), pid_file)
                self.assertFalse(baselines.exists())

    def test_stat_ends_as_its_command_ends(self):
        pid_file = self.folder / "pid"
        process = self.start("stat", "--", "sh", "-c", f"echo $$ > {pid_file}; exec sleep 1000")
        wait_until(lambda: pid_file.exists() and pid_file.read_text().strip(), "the command")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(is_alive(int(pid_file.read_text())))
        self.assertEqual(list((self.folder / "records").iterdir()), [])


class FailedWrites(FolderTest):
    def setUp(self):
        super().setUp()
        self.result = self.folder / "a.json"
        made = subprocess.run([sys.executable, FIXTURES / "make_result", "w", "allocations=5"], capture_output=True,
                              text=True, check=True)
        self.result.write_text(made.stdout)

    @staticmethod
    def limit_file_size():
        resource.setrlimit(resource.RLIMIT_FSIZE, (64, 64))

    def test_a_full_disk_keeps_the_old_file(self):
        output = self.folder / "out.txt"
        output.write_text("what was there\n")
        done = run("check", self.result, "--against", self.result, "--format", "json", "--output", output,
                   preexec_fn=self.limit_file_size)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("out.txt", done.stderr)
        self.assertEqual(output.read_text(), "what was there\n")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "out.txt"])

    def test_a_full_disk_writes_no_baseline(self):
        done = run("baseline", "update", "-m", "x", "--from", self.result, "--baseline", self.folder / "b",
                   preexec_fn=self.limit_file_size)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual([path for path in (self.folder / "b").rglob("*") if path.is_file()], [])

    def test_a_record_that_does_not_fit_is_not_the_programs_trouble(self):
        done = run("stat", "--", "true", preexec_fn=self.limit_file_size)
        self.assertEqual(done.returncode, 125)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_standard_output_that_takes_nothing_is_said(self):
        for arguments in (["--help"], ["compare", self.result, self.result]):
            with open("/dev/full", "w", encoding="ascii") as full:
                done = subprocess.run([ALLOCGATE, *map(str, arguments)], stdout=full, stderr=subprocess.PIPE, text=True,
                                      timeout=60, check=False)
            self.assertEqual(done.returncode, 1)
            self.assertIn("standard output", done.stderr)

    def test_a_closed_pipe_is_no_crash(self):
        done = subprocess.run(["sh", "-c", '"$0" compare "$1" "$1" --all | true', ALLOCGATE, self.result], timeout=60,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 0)


if __name__ == "__main__":
    unittest.main()

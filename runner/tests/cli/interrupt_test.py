# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What an interrupt, a full disk and a closed pipe leave behind: nothing."""

import contextlib
import os
import pathlib
import resource
import signal
import subprocess
import sys
import time
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


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

# One that is counted well and hangs where it is timed, without the hooks.
HANGING_WHEN_TIMED = """#!/bin/sh
case "$*" in *--benchmark_list_tests*) echo hang; exit 0;; esac
test -n "$ALLOCGATE_RECORD" && exit 0
sleep 1000 &
echo $! > "{pid}"
wait
"""


class Interrupt(FolderTest):
    def start(self, *arguments, **variables):
        """The command with folders for records, which is where a leak would show, and its own session."""
        for name in ("records", "tmp"):
            (self.folder / name).mkdir(exist_ok=True)
        return subprocess.Popen([ALLOCGATE, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True,
                                env=environment(ALLOCGATE_RECORD_DIR=self.folder / "records",
                                                TMPDIR=self.folder / "tmp", **variables))

    def expect_nothing_left(self, process, pid_file, number=signal.SIGINT, times=1):
        wait_until(lambda: pid_file.exists() and pid_file.read_text().strip(), "the measured program")
        for _ in range(times):
            process.send_signal(number)
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(out, "")
        self.assertIn("interrupted", err.lower())
        child = int(pid_file.read_text())
        wait_until(lambda: not is_alive(child), "the end of the measured program's child")
        for name in ("records", "tmp"):
            self.assertEqual(list((self.folder / name).iterdir()), [])
        pid_file.unlink()
        return err

    def test_run_leaves_no_child_no_record_and_no_file(self):
        pid_file, output = self.folder / "pid", self.folder / "result.json"
        suite = self.script("suite", HANGING_SUITE.format(pid=pid_file))
        for number in SIGNALS:
            process = self.start("run", "--suite", suite, "--format", "json", "--output", output)
            self.expect_nothing_left(process, pid_file, number)
            self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["records", "suite", "tmp"])

    def test_twice_is_as_good_as_once(self):
        pid_file = self.folder / "pid"
        suite = self.script("suite", HANGING_SUITE.format(pid=pid_file).replace("#!/bin/sh", "#!/bin/sh\ntrap '' INT"))
        self.expect_nothing_left(self.start("run", "--suite", suite), pid_file, times=2)

    def test_run_while_it_times(self):
        pid_file = self.folder / "pid"
        suite = self.script("suite", HANGING_WHEN_TIMED.format(pid=pid_file))
        self.expect_nothing_left(self.start("run", "--suite", suite, "--time", "--quick"), pid_file)

    def test_listing(self):
        pid_file = self.folder / "pid"
        suite = self.script("suite", f"#!/bin/sh\nsleep 1000 & echo $! > {pid_file}; wait\n")
        self.expect_nothing_left(self.start("list", "--suite", suite), pid_file)

    def test_check_and_update_write_nothing(self):
        for command in (["check"], ["baseline", "update", "-m", "x"]):
            for number in SIGNALS:
                with self.subTest(command=command, signal=number):
                    pid_file, baselines = self.folder / "pid", self.folder / "b"
                    suite = self.script("suite", HANGING_SUITE.format(pid=pid_file))
                    self.expect_nothing_left(self.start(*command, "--suite", suite, "--baseline", baselines), pid_file,
                                             number)
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

    def test_stat_ends_as_a_command_that_ends_by_itself_then(self):
        ready = self.folder / "ready"
        process = self.start("stat", "--", "sh", "-c",
                             f"trap 'exit 5' INT; echo > {ready}; while :; do sleep 0.05; done")
        wait_until(ready.exists, "the command")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 5, err)
        self.assertIn("  allocations", err)
        self.assertNotIn("interrupted", err)

    def test_stat_of_a_server_leaves_neither_server_nor_load(self):
        pid_file, port = self.folder / "pid", self.folder / "port"
        hang = f"sleep 1000 & echo $! > {pid_file}; wait"
        for mode in ("", "stays"):
            for ready, during in ((hang, "true"), (f"test -s {port}", hang)):
                for number in SIGNALS if mode == "" else (signal.SIGINT,):
                    with self.subTest(mode=mode, ready=ready, signal=number):
                        port.unlink(missing_ok=True)
                        process = self.start("stat", "--ready", ready, "--during", during, "--iterations", "1", "--",
                                             os.environ["ALLOCGATE_KNOWN_SERVER"], port, mode)
                        wait_until(pid_file.exists, "the shell line")
                        servers = self.servers()
                        self.expect_nothing_left(process, pid_file, number)
                        self.assertEqual([pid for pid in servers if is_alive(pid)], [])

    def servers(self):
        """The processes that were started with our folder in their command lines."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                words = path.read_bytes().decode(errors="replace").split("\0")
                if os.environ["ALLOCGATE_KNOWN_SERVER"] == words[0] and str(self.folder / "port") in words:
                    found.append(int(path.parent.name))
        return found


class InterruptedWrites(FolderTest):
    """A signal while a result is written: the library makes the disk so slow that it never ends."""

    def setUp(self):
        super().setUp()
        self.mark = self.folder / "mark"
        self.result = self.folder / "a.json"
        made = subprocess.run([sys.executable, FIXTURES / "make_result", "w", "allocations=5"], capture_output=True,
                              text=True, check=True)
        self.result.write_text(made.stdout)

    def interrupted(self, *arguments, number=signal.SIGINT, started=None, **options):
        options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE} | options
        process = subprocess.Popen([ALLOCGATE, *map(str, arguments)], stderr=subprocess.PIPE, text=True, **options)
        wait_until(started or self.mark.exists, "the write")
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertEqual(err.splitlines()[-1], f"allocgate: interrupted by {signal.Signals(number).name}")

    def slow(self):
        return environment(LD_PRELOAD=os.environ["ALLOCGATE_SLOW_DISK"], SLOW_DISK_MARK=self.mark)

    def test_leave_the_old_file_and_no_other(self):
        output = self.folder / "out.txt"
        output.write_text("what was there\n")
        for command in (["compare", self.result, self.result], ["check", self.result, "--against", self.result],
                        ["stat", "true"], ["doctor"]):
            for number in SIGNALS:
                with self.subTest(command=command, signal=number):
                    words = [command[0], "--output", output, *command[1:]]
                    if command[0] == "stat":
                        words.insert(3, "--")
                    self.interrupted(*words, number=number, env=self.slow())
                    self.mark.unlink()
                    self.assertEqual(output.read_text(), "what was there\n")
                    self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.json", "out.txt"])

    def test_leave_no_baseline(self):
        self.interrupted("baseline", "update", "-m", "x", "--from", self.result, "--baseline", self.folder / "b",
                         env=self.slow())
        self.assertEqual([path for path in (self.folder / "b").rglob("*") if path.is_file()], [])

    def test_end_though_nobody_reads(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        self.interrupted("compare", self.result, self.result, "--output", pipe, started=self.after(0.5))
        self.interrupted("compare", pipe, self.result, started=self.after(0.5))

    @staticmethod
    def after(seconds):
        end = time.monotonic() + seconds
        return lambda: time.monotonic() > end


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

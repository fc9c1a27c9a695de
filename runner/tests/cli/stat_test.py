# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`allocgate stat` on real programs."""

import pathlib
import shutil
import subprocess
import unittest

from command_under_test import ALLOCGATE, FolderTest, environment, is_alive, run


def median(workload, measure="allocations"):
    return workload["measures"][measure]["median"]


class Stat(FolderTest):
    def test_ends_as_the_command_ended(self):
        for command, status in ((["true"], 0), (["false"], 1), (["sh", "-c", "exit 42"], 42),
                                (["sh", "-c", "kill -9 $$"], 137), (["sh", "-c", "kill -TERM $$"], 143)):
            with self.subTest(command=command):
                done = run("stat", "--", *command)
                self.assertEqual(done.returncode, status, done.stderr)
                self.assertEqual(done.stdout, "")
                self.assertIn("  allocations", done.stderr)

    def test_standard_streams_are_the_commands_own(self):
        done = run("stat", "--", "cat", input="through\n")
        self.assertEqual(done.stdout, "through\n")
        with_output = run("stat", "--output", self.folder / "result.txt", "--", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual((with_output.stdout, with_output.stderr), ("out\n", "err\n"))
        self.assertIn("allocations", (self.folder / "result.txt").read_text())

    def test_gives_the_command_the_descriptors_of_its_caller(self):
        (self.folder / "same").write_text("words\n")
        done = subprocess.run(
            ["bash", "-c", '"$0" stat --output report.txt -- diff <(cat same) <(cat same) && cat report.txt', ALLOCGATE],
            cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("allocations", done.stdout)

    def test_passes_the_jobserver_of_make_on(self):
        if shutil.which("make") is None:
            self.skipTest("make is not installed (Debian: make)")
        (self.folder / "Makefile").write_text("all:\n\t+@$(STAT) $(MAKE) inner\ninner: one two\none two:\n\t@echo $@\n")
        done = subprocess.run(["make", "--no-print-directory", "-j2", f"STAT={ALLOCGATE} stat --output report.txt --"],
                              cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(sorted(line for line in done.stdout.splitlines() if not line.startswith("make")), ["one", "two"])
        self.assertEqual(done.stderr, "", "no warning that the jobserver is unavailable")

    def test_counts_exactly_what_a_program_allocates(self):
        fewer, _ = self.counted("--", ALLOCGATE, "doctor", "--probe", "1000")
        more, _ = self.counted("--", ALLOCGATE, "doctor", "--probe", "3000")
        for measure, each in (("allocations", 1), ("deallocations", 1), ("allocated_bytes", 24), ("live_allocations", 0)):
            self.assertEqual(median(more, measure) - median(fewer, measure), 2000 * each, measure)

    def test_adds_up_the_processes(self):
        workload, status = self.counted("--", "sh", "-c", "ls / >/dev/null; cat /etc/passwd >/dev/null")
        self.assertEqual(status, 0)
        names = {pathlib.Path(process["executable"]).name for process in workload["processes"]}
        self.assertLessEqual({"ls", "cat"}, names)
        self.assertEqual(median(workload), sum(process["measures"]["allocations"] for process in workload["processes"]))
        alone, _ = self.counted("--no-children", "--", "sh", "-c", "ls / >/dev/null; cat /etc/passwd >/dev/null")
        self.assertLess(median(alone), median(workload))

    def test_loses_nothing_to_a_kill(self):
        workload, status = self.counted("--", "sh", "-c", "kill -9 $$")
        self.assertEqual(status, 137)
        self.assertGreater(median(workload), 0)

    def test_takes_as_many_samples_as_asked(self):
        marks = self.folder / "marks"
        workload, _ = self.counted("--samples", "3", "--", "sh", "-c", f"echo x >> {marks}")
        self.assertEqual(marks.read_text(), "x\nx\nx\n")
        samples = workload["measures"]["allocations"]["samples"]
        self.assertEqual(sum(sample["times"] for sample in samples), 3)

    def test_has_codes_of_its_own(self):
        plain = self.folder / "plain"
        plain.write_text("text")
        for command, status, words in (("./no-such-program", 127, "no-such-program"), (plain, 126, "plain")):
            done = run("stat", "--", command)
            self.assertEqual(done.returncode, status)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, "one sentence")

    def test_says_when_a_program_is_blind(self):
        static = "/sbin/ldconfig"
        if not pathlib.Path(static).exists() or b"INTERP" in subprocess.run(
                ["readelf", "-lW", static], capture_output=True, check=False).stdout:
            self.skipTest(f"{static} is not a static program here")
        done = run("stat", "--", static, "--version")
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertRegex(done.stderr, r"\Aallocgate: stat: .*static.*\n\Z")

    def test_names_a_child_that_was_not_counted(self):
        command = ["sh", "-c", "env -i /bin/ls / >/dev/null; true"]
        workload, status = self.counted("--", *command)
        self.assertEqual((status, workload["status"]), (125, "blind"))
        self.assertRegex(workload["error"], r"/ls \(process \d+\) is not counted")
        (blind,) = [process for process in workload["processes"] if not process["measures"]]
        self.assertEqual(pathlib.Path(blind["executable"]).name, "ls")
        self.assertIn("as far as it was counted", run("stat", "--", *command).stderr)
        self.assertEqual(self.counted("--no-children", "--", *command)[1], 0)

    def test_tells_how_children_ended(self):
        workload, status = self.counted("--", "sh", "-c", "(exit 3); sh -c 'exit 4'; true")
        self.assertEqual(status, 0)
        self.assertEqual([process.get("exit_code") for process in workload["processes"]], [0, 3, 4])
        self.assertFalse([note for note in workload["notes"] if "unseen" in note])

    def test_ends_what_does_not_end(self):
        done = run("stat", "--timeout", "0.3", "--", "sh", "-c", f"sleep 1000 & echo $! > {self.folder}/pid; wait")
        self.assertEqual(done.returncode, 125)
        self.assertIn("timeout", done.stderr)
        self.assertFalse(is_alive(int((self.folder / "pid").read_text())))

    def test_leaves_nothing_behind(self):
        records = self.folder / "records"
        records.mkdir()
        run("stat", "--", "sh", "-c", "ls", env=environment(ALLOCGATE_RECORD_DIR=records))
        self.assertEqual(list(records.iterdir()), [])

    def test_says_where_it_looked_for_the_hooks(self):
        done = run("stat", "--", "true", env=environment(ALLOCGATE_HOOKS="/no/such/library.so"))
        self.assertEqual(done.returncode, 125)
        self.assertIn("/no/such/library.so", done.stderr)
        self.assertIn("ALLOCGATE_HOOKS", done.stderr)

    def test_finds_its_parts_through_a_link(self):
        link = self.folder / "elsewhere"
        link.symlink_to(ALLOCGATE)
        done = subprocess.run([link, "stat", "--", "true"], capture_output=True, text=True, timeout=60, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_may_count_itself(self):
        done = run("stat", "--no-children", "--", ALLOCGATE, "stat", "--", "true")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr.count(" Allocations of "), 2)
        with_children = run("stat", "--", ALLOCGATE, "stat", "--", "true")
        self.assertEqual(with_children.returncode, 125, "what the inner one counts is not counted twice")
        self.assertIn("another allocgate", with_children.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Base against head in a repository that the test makes: a C program, its build line in allocgate.json."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import unittest

from command_under_test import ALLOCGATE, FolderTest, environment, is_alive, run, wait_until

SOURCE = (pathlib.Path(__file__).parent / "projects/c/count.c").read_text()
PLANTED = "#define PLANTED\n" + SOURCE
CONFIGURATION = {
    "schema": "allocgate.configuration/1",
    "build": "mkdir -p build && $CC_FOR_TESTS -O1 -o build/count count.c",
    "workloads": [{"name": "count", "command": ["build/count", "{iterations}"], "iterations": 100}],
}


@unittest.skipUnless(shutil.which("git"), "git is not installed (Debian: git)")
class AgainstRevision(FolderTest):
    def setUp(self):
        super().setUp()
        self.top = self.folder / "a repository"
        self.top.mkdir()
        self.git("init", "-q", "-b", "trunk")
        (self.top / ".gitignore").write_text("build\n")
        (self.top / "allocgate.json").write_text(json.dumps(CONFIGURATION))
        self.write(SOURCE)
        self.commit("The first one")

    def git(self, *words):
        done = subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=self.top,
                              capture_output=True, text=True, check=True)
        return done.stdout

    def write(self, source):
        (self.top / "count.c").write_text(source)

    def commit(self, subject):
        self.git("add", ".")
        self.git("commit", "-q", "-m", subject)

    def check(self, *words, folder="."):
        return run("check", *words, cwd=self.top / folder, env=environment(ALLOCGATE_CACHE_DIR=self.folder / "cache"))

    def state(self):
        """What the user has: files with their times, the index, branches."""
        files = sorted((str(path), path.stat().st_mtime_ns) for path in self.top.rglob("*")
                       if path.is_file() and ".git/objects" not in str(path) and ".git/worktrees" not in str(path))
        return files, self.git("for-each-ref")

    def test_names_what_the_change_planted(self):
        self.write(PLANTED)
        self.commit("Answer with a copy")
        before = self.state()
        done = self.check("--against-rev", "HEAD~1")
        self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        text = " ".join(done.stdout.split())
        self.assertIn("count allocations: regression", text)
        self.assertIn("+1 per iteration", text)
        self.assertIn("The first one", text)
        self.assertIn("Answer with a copy", text)
        self.assertEqual(self.state(), before)
        # What it says to type next says the same.
        line = next(line for line in done.stdout.splitlines() if "reproduce:" in line).split("reproduce:")[1]
        again = subprocess.run(line, shell=True, cwd=self.top, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               env=environment(ALLOCGATE_CACHE_DIR=self.folder / "cache"), check=False)
        self.assertEqual(again.returncode, 2, again.stderr)
        self.assertNotIn("building base", again.stderr, "base is remembered")
        self.assertIn("building head", again.stderr, "a regression is measured again before it is believed")

    def test_what_is_not_committed_counts(self):
        self.write(PLANTED)
        (self.top / "notes.txt").write_text("not added")
        before = self.state()
        done = self.check("--against-rev", "trunk")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("what is not committed yet", done.stdout)
        self.assertEqual(self.state(), before)
        self.assertIn("?? notes.txt", self.git("status", "--porcelain"))

    def test_the_same_is_remembered_until_something_changes(self):
        self.commit_readme()
        first = self.check("--against-rev", "HEAD~1")
        self.assertEqual(first.returncode, 0, first.stdout + first.stderr)
        self.assertEqual(first.stderr.count("building"), 2)
        second = self.check("--against-rev", "HEAD~1")
        self.assertEqual((second.returncode, second.stderr), (0, ""))
        self.assertEqual(second.stdout, first.stdout)
        self.assertEqual(self.check("--against-rev", "HEAD~1", "--measure-again").stderr.count("building"), 2)
        other = self.check("--against-rev", "HEAD~1", "--iterations", "50")
        self.assertEqual(other.stderr.count("building"), 2, "another way of measuring")

    def commit_readme(self):
        (self.top / "README").write_text("text\n")
        self.commit("Explain it")

    def test_works_from_a_folder_below_and_with_a_program_named(self):
        self.commit_readme()
        (self.top / "below").mkdir()
        done = self.check("--against-rev", "HEAD~1", folder="below")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        missing = self.check("--against-rev", "HEAD~1", "--suite", "../build/nothing", folder="below")
        self.assertEqual(missing.returncode, 3, missing.stdout + missing.stderr)
        self.assertIn("base did not measure nothing", " ".join(missing.stdout.split()))

    def test_a_side_that_does_not_build_says_why(self):
        self.write("this is no C\n")
        done = self.check("--against-rev", "HEAD")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("head: the work tree with what is not committed yet was not built", done.stderr)
        self.assertIn("count.c:1", done.stderr, "the compiler's own words")
        log = done.stderr.split("all it printed is in '")[1].split("'")[0]
        self.assertIn("count.c", pathlib.Path(log).read_text())

    def test_a_workload_that_base_lacks_is_new(self):
        configuration = json.loads(json.dumps(CONFIGURATION))
        configuration["workloads"].append({"name": "more", "command": ["build/more"]})
        configuration["build"] += "; if test -f more.c; then $CC_FOR_TESTS -o build/more more.c; fi"
        (self.top / "allocgate.json").write_text(json.dumps(configuration))
        (self.top / "more.c").write_text("#include <stdlib.h>\nint main(void) { free(malloc(9)); return 0; }\n")
        done = self.check("--against-rev", "HEAD", "--format", "json")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        found = json.loads(done.stdout)
        self.assertIn(("more", "new"), {(verdict.get("workload"), verdict["verdict"]) for verdict in found["verdicts"]})
        self.assertTrue(any("base did not measure more" in note for note in found["notes"]), found["notes"])

    def test_wrong_use_is_said(self):
        for words, code, expected in (
                (["--against-rev", "trunc"], 64, "did you mean trunk?"),
                (["--against-rev", "HEAD", "--against", "x.json"], 64, "exclude each other"),
                (["--build", "make"], 64, "are for --against-rev")):
            with self.subTest(words=words):
                done = self.check(*words)
                self.assertEqual(done.returncode, code, done.stderr)
                self.assertIn(expected, done.stderr)
        elsewhere = run("check", "--against-rev", "HEAD", "--build", "make", cwd=self.folder)
        self.assertEqual(elsewhere.returncode, 64)
        self.assertIn("lies in no git work tree", elsewhere.stderr)

    def test_an_interrupt_ends_the_build(self):
        pid_file = self.folder / "pid"
        process = subprocess.Popen(
            [ALLOCGATE, "check", "--against-rev", "HEAD", "--build", f"sleep 1000 & echo $! > '{pid_file}'; wait"],
            cwd=self.top, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            start_new_session=True, env=environment(ALLOCGATE_CACHE_DIR=self.folder / "cache"))
        wait_until(lambda: pid_file.exists() and pid_file.read_text().strip(), "the build")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (130, ""), err)
        wait_until(lambda: not is_alive(int(pid_file.read_text())), "the end of the build's child")
        self.assertEqual(self.check("--against-rev", "HEAD").returncode, 0, "and the next one works")


if __name__ == "__main__":
    os.environ.setdefault("CC_FOR_TESTS", "cc")
    unittest.main()

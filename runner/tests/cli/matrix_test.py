# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Is it the code or the compiler: tables of revisions and toolchains whose numbers the tests plant."""

import json
import pathlib
import shutil
import unittest

import made_history
from command_under_test import FolderTest, run
from made_history import BROKEN, History, source

COMMAND = ("--iterations", "100", "--", "./count", "{iterations}")
BUILD = '$CC -O0 -o count count.c'


@unittest.skipUnless(shutil.which("git"), "git is not installed (Debian: git)")
class MatrixTest(FolderTest):
    def setUp(self):
        super().setUp()
        self.history = History(self.folder / "a repository")
        self.top = self.history.top
        compiler = shutil.which("cc")
        # A "compiler" that puts an allocation of its own into every round.
        more = self.script("cc-more", f'#!/bin/sh\n[ "$1" = --version ] && exec {compiler} --version\n'
                                      'sed "s/k < \\([0-9]*\\)/k < \\1+1/" count.c > made.c && '
                                      f'exec {compiler} -O0 -o count made.c\n')
        self.toolchains = ["--toolchain", f"plain=CC={compiler}", "--toolchain", f"more=CC='{more}'"]

    def line(self, *values):
        mark = None
        for number, value in enumerate(values):
            mark = self.history.commit(f"Commit {number}", BROKEN if value is None else source(value), mark)
        commits = self.history.write()
        for number in range(len(values)):
            self.history.git("tag", f"v{number}", commits[number + 1])
        return commits

    def matrix(self, *words, build=BUILD, command=COMMAND):
        return run("matrix", "--build", build, *words, *command, cwd=self.top,
                   env=made_history.environment_of(self.folder))

    def said(self, *words, code=0, **options):
        done = self.matrix(*words, **options)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return " ".join(done.stdout.split())

    def test_the_toolchain_is_named(self):
        self.line(2, 2)
        said = self.said("--rev", "v0", "--rev", "v1", *self.toolchains)
        self.assertIn("The toolchain moved it: +1 per iteration from plain to more, with every revision.", said)
        self.assertIn("The revision did not move it.", said)
        self.assertIn("v0 2 3 v1 2 3", said)

    def test_the_code_is_named_and_a_patch_is_a_revision(self):
        self.line(2, 3)
        self.history.git("tag", "with+plus")
        patch = self.folder / "fix.patch"
        patch.write_text(self.history.git("diff", "v1", "v0") + "\n")
        said = self.said("--rev", "v0", "--rev", "with+plus", "--rev", f"with+plus+{patch}", *self.toolchains[:2])
        self.assertIn("The revision moved it: +1 per iteration from v0 to with+plus, "
                      f"-1 per iteration from with+plus to with+plus+{patch}.", said)
        before = self.history.git("for-each-ref")
        self.assertEqual(before, self.history.git("for-each-ref"))

    def test_both_without_each_other(self):
        self.line(2, 5)
        said = self.said("--rev", "v0", "--rev", "v1", *self.toolchains)
        self.assertIn("The revision moved it: +3 per iteration from v0 to v1, with every toolchain.", said)
        self.assertIn("The toolchain moved it: +1 per iteration from plain to more, with every revision.", said)

    def test_where_they_meet_the_cells_are_named(self):
        self.line(2, 3)
        special = f'test "$(git rev-parse HEAD)" = "$(git rev-parse v1)" || CC={shutil.which("cc")}; ' + BUILD
        said = self.said("--rev", "v0", "--rev", "v1", *self.toolchains, build=special)
        self.assertIn("No axis moves it alone", said)
        self.assertIn("revision from v0 to v1: +1 per iteration with plain; +2 per iteration with more.", said)
        self.assertIn("toolchain from plain to more: 0 with v0; +1 per iteration with v1.", said)

    def test_a_cell_that_fails_does_not_stop_the_rest(self):
        self.line(2, None, 3)
        words = ["--rev", "v0", "--rev", "v1", "--rev", "v2", *self.toolchains]
        said = self.said(*words, code=3)
        self.assertIn("v1 failed failed", said)
        self.assertIn("v1:plain failed: ", said)
        self.assertIn("count.c:1", said)
        self.assertIn("from v0 to v2, with every toolchain", said)
        self.assertIn("v1:more failed, which is allowed: ", self.said(*words, "--allow-failure", "v1:*"))
        wrong = self.matrix(*words, "--allow-failure", "v1:mor")
        self.assertEqual(wrong.returncode, 64)
        self.assertIn("did you mean v1:more?", wrong.stderr)

    def test_another_axis_and_the_work_tree(self):
        self.line(1)
        (self.top / "count.c").write_text(source(4))
        axis = ["--axis", "extra/none=EXTRA=0", "--axis", "extra/two=EXTRA=2"]
        build = 'sed "s/k < \\([0-9]*\\)/k < \\1+$EXTRA/" count.c > made.c && cc -O0 -o count made.c'
        done = self.matrix("--rev", "HEAD", "--rev", ".", *axis, "--format", "json", build=build)
        self.assertEqual(done.returncode, 0, done.stderr)
        table = json.loads(done.stdout)["tables"][0]
        self.assertTrue(table["additive"])
        self.assertEqual([(effect["axis"], effect["from"], effect["to"], effect["delta"]) for effect in table["effects"]],
                         [("revision", "HEAD", ".", 300), ("extra", "none", "two", 200)])
        self.assertEqual(self.history.git("status", "--porcelain").split()[0], "M")

    def test_a_matrix_makes_the_baselines_of_its_toolchains(self):
        if not shutil.which("clang"):
            self.skipTest("clang is not installed (Debian: clang)")
        self.line(2, 3)
        toolchains = ["--toolchain", "gcc=CC=gcc", "--toolchain", "clang=CC=clang"]
        cells = self.folder / "cells.json"
        done = self.matrix("--rev", "v0", "--rev", "v1", *toolchains, "--format", "json", "--output", cells)
        self.assertEqual(done.returncode, 0, done.stderr)
        update = ["baseline", "update", "--matrix", cells, "--baseline", self.folder / "baselines", "-m", "two compilers"]
        self.assertIn("name one with --rev: v0, v1", run(*update).stderr)
        done = run(*update, "--rev", "v1")
        self.assertEqual(done.returncode, 0, done.stderr)
        folders = sorted(path.name for path in (self.folder / "baselines").iterdir())
        self.assertEqual(len(folders), 2, folders)
        self.assertIn("clang", folders[0])
        self.assertIn("gcc", folders[1])
        for folder in folders:
            baseline = json.loads(next((self.folder / "baselines" / folder).glob("*.json")).read_text())
            self.assertEqual(next(iter(baseline["workloads"].values()))["measures"]["allocations"]["value"], 300)

    def test_a_patch_that_does_not_apply_is_refused(self):
        self.line(2)
        patch = self.folder / "wrong.patch"
        patch.write_text("--- a/count.c\n+++ b/count.c\n@@ -1 +1 @@\n-something else\n+x\n")
        done = self.matrix("--rev", f"v0+{patch}")
        self.assertEqual(done.returncode, 64, done.stderr)
        self.assertIn("does not apply to", done.stderr)
        self.assertIn(pathlib.Path(patch).name, done.stderr)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Starts the command under test, for the tests that need real processes. ALLOCGATE_UNDER_TEST names it."""

import contextlib
import json
import os
import pathlib
import subprocess
import tempfile
import time
import unittest

ALLOCGATE = os.environ["ALLOCGATE_UNDER_TEST"]
PATIENCE_SECONDS = 30


def run(*arguments, **options):
    """The command's result; streams as text. Nothing is on its standard input unless `input` says so."""
    if "input" not in options:
        options["stdin"] = subprocess.DEVNULL
    return subprocess.run([ALLOCGATE, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False,
                          **options)


def environment(**changes):
    return os.environ | {name: str(value) for name, value in changes.items()}


def wait_until(condition, what):
    """Fails loudly instead of hanging; how long it took is not asserted."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"waited in vain for {what}")
        time.sleep(0.02)


def is_alive(pid):
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] not in ("Z", "X")
    return False


class FolderTest(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="allocgate-test-")
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def counted(self, *arguments):
        """The only workload of `stat`'s JSON, and its exit status."""
        output = self.folder / "stat.json"
        output.unlink(missing_ok=True)
        done = run("stat", "--format", "json", "--output", output, *arguments)
        return json.loads(output.read_text())["workloads"][0], done.returncode

    def script(self, name, text):
        path = self.folder / name
        path.write_text(text)
        path.chmod(0o755)
        return path

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The environment of the programs: fixed, and as long in all under allocgate as under valgrind.

Many programs copy their environment, and both tools add to it. Without the filling that is made here, perl or bash
would rightly allocate other bytes under one than under the other.
"""

import os
import subprocess
import sys
from pathlib import Path

FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
VALGRIND = ["valgrind", "--trace-children=yes", "--child-silent-after-fork=yes", "--run-libc-freeres=no",
            "--run-cxx-freeres=no"]


def search_path():
    """The folders where programs are looked for: the system's, PostgreSQL's own, and then the caller's."""
    postgres = sorted(map(str, Path("/usr/lib/postgresql").glob("*/bin")))[-1:]
    return ":".join(FOLDERS + postgres + os.environ.get("PATH", "").split(":"))


class Surroundings:
    """The variables of a bare, a counted and a valgrind run."""

    def __init__(self, allocgate, scratch):
        self.scratch = scratch
        self.bare = {"PATH": search_path(), "LC_ALL": "C", "TZ": "UTC", "PWD": str(scratch)}
        # Valgrind gives a child an empty item more than the program itself, unless there is one from the start.
        self.counted, self.valgrind = dict(self.bare), self.bare | {"LD_PRELOAD": ""}
        self.counting = [str(allocgate), "stat", "--format", "json", "--output", str(scratch / "env.json"), "--"]
        self.checking = [*VALGRIND, f"--log-file={scratch}/%p.log"]
        counted, valgrind = self.seen()
        added = {name: value for name, value in (counted | valgrind).items() if name != "LD_PRELOAD"}
        self.counted, self.valgrind = added | self.counted, added | self.valgrind
        # What differs in length gets a companion as long as the other's: then the lengths are the same in some order.
        counted, valgrind = self.seen()
        for name in sorted(counted):
            if len(counted[name]) != len(valgrind[name]):
                self.counted[f"FILLING_{name}"] = "-" * len(valgrind[name])
                self.valgrind[f"FILLING_{name}"] = "-" * len(counted[name])

    def seen(self):
        """What a program sees of both environments."""
        return [self.seen_behind(self.counting, self.counted), self.seen_behind(self.checking, self.valgrind)]

    def seen_behind(self, prefix, environment):
        # A child of a program sees at least as much as the program, and hands on what the shell alone would add.
        run = subprocess.run([*prefix, "env", "env", "--null"], env=environment, cwd=self.scratch, capture_output=True,
                             text=True)
        if run.returncode != 0:
            sys.exit(f"oracle: '{' '.join(prefix)} env' ended with {run.returncode}: {run.stderr.strip()}")
        return dict(entry.split("=", 1) for entry in run.stdout.split("\0") if entry)

    def level(self):
        """Whether both have equally many variables of the same lengths."""
        counted, valgrind = (sorted(map(len, variables.values())) for variables in self.seen())
        return counted == valgrind

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The environment of the programs: fixed, and as long in all under allocgate as under valgrind.

Many programs copy their environment, and both tools add to it. Without the filling that is made here, perl or bash
would rightly allocate other bytes under one than under the other.
"""

import os
import subprocess
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
        self.bare = {"PATH": search_path(), "LC_ALL": "C", "TZ": "UTC", "PWD": str(scratch), "FILLING": ""}
        # Valgrind gives a child an empty item more than the program itself, unless there is one from the start.
        self.counted, self.valgrind = dict(self.bare), self.bare | {"LD_PRELOAD": ""}
        self.counting = [str(allocgate), "stat", "--format", "json", "--output", str(scratch / "env.json"), "--"]
        self.checking = [*VALGRIND, f"--log-file={scratch}/%p.log"]
        counted, valgrind = self.seen()
        added = {name: value for name, value in (counted | valgrind).items() if name != "LD_PRELOAD"}
        self.counted, self.valgrind = added | self.counted, added | self.valgrind
        lengths = [length(variables) for variables in self.seen()]
        for variables, own in zip((self.counted, self.valgrind), lengths):
            variables["FILLING"] = "-" * (max(lengths) - own)

    def seen(self):
        """What a program sees of both environments."""
        return [self.seen_behind(self.counting, self.counted), self.seen_behind(self.checking, self.valgrind)]

    def seen_behind(self, prefix, environment):
        # A child of a program sees at least as much as the program, and hands on what the shell alone would add.
        printed = subprocess.run([*prefix, "env", "env", "--null"], env=environment, cwd=self.scratch, check=True,
                                 stdout=subprocess.PIPE).stdout
        return dict(entry.split("=", 1) for entry in printed.decode().split("\0") if entry)

    def level(self):
        """Whether both are equally many and equally long by now."""
        counted, valgrind = self.seen()
        return counted.keys() == valgrind.keys() and length(counted) == length(valgrind)


def length(variables):
    return sum(map(len, variables.values()))

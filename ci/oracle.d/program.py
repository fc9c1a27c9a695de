# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What a row of the table says. In its texts {port} and {home} are filled in."""

from dataclasses import dataclass, field

from heap import Heap


@dataclass(frozen=True)
class Program:
    name: str
    command: str              # started without a shell, in a folder of its own
    packages: dict            # executable -> Debian package, of all that the row needs
    prepare: str = ""         # lines of shell that make the input, run bare before each run
    environment: dict = field(default_factory=dict)
    user: str = ""            # who runs it; whoever runs us, when empty
    compare_files: tuple = ()  # names and globs of what it writes that must be the same too
    changes: tuple = ()       # (what, pattern, replacement): what differs between two bare runs already
    allocators: tuple = ()    # libraries other than libc whose malloc it calls

    # Valgrind's totals decide, unless one of these says why not. Then uprobes in the same run must be equal.
    not_by_valgrind: str = ""  # why its totals say nothing of this program
    explained: str = ""        # why allocgate counts more, call by call ...
    more: Heap = Heap()        # ... and by how much exactly

    # For a server, lines of shell that run bare beside it.
    ready: str = ""  # succeeds once it answers
    load: str = ""   # what is asked of it
    stop: str = ""   # how it is told to end

    quick: bool = False  # always installed and fast: part of the test

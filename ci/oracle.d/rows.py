# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Checks one program of the table and says what was equal, what was not, and why."""

import os
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Optional

import probes
from heap import Heap, total
from modes import ProgramRun
from outcome import Unable
from surroundings import search_path


@dataclass
class Row:
    """One line of the table. It is right if `wrong` is empty, and says nothing if it was skipped."""
    program: object
    skipped: str = ""
    wrong: list = field(default_factory=list)
    normalised: list = field(default_factory=list)  # what changes between two bare runs
    images: list = field(default_factory=list)
    valgrind: Optional[Heap] = None                  # allocgate's sum less valgrind's, of the images that both total
    probed: bool = False                            # the allocator itself saw the same calls

    @property
    def heap(self):
        return total(image.heap for image in self.images)

    @property
    def verdict(self):
        if self.skipped:
            return "skipped"
        return "different" if self.wrong else "explained" if self.valgrind not in (None, Heap()) else "equal"


def missing(program):
    """What stands in the way of running the row here, or nothing."""
    path = search_path()
    packages = {package for executable, package in program.packages.items() if not shutil.which(executable, path=path)}
    if packages:
        return f"not installed: apt-get install {' '.join(sorted(packages))}"
    if program.user and os.geteuid() != 0:
        return f"only root can run it as user {program.user}"
    if program.not_by_valgrind or program.explained:
        return probes.missing()
    return ""


def check(program, allocgate, surroundings, probe_all):
    row = Row(program, skipped=missing(program))
    if row.skipped:
        return row
    with tempfile.TemporaryDirectory(prefix="oracle-") as scratch:
        # A program that runs as another user must find its folder.
        Path(scratch).chmod(0o711)
        run = ProgramRun(program, allocgate, surroundings, Path(scratch))
        try:
            bare = check_outcome(row, run)
            if not program.not_by_valgrind:
                check_valgrind(row, run, bare)
            if program.not_by_valgrind or program.explained or (probe_all and not probes.missing()):
                check_probes(row, run)
        except Unable as reason:
            row.wrong.append(str(reason))
        except subprocess.TimeoutExpired as late:
            row.wrong.append(f"did not end within {late.timeout:.0f} s: {late.cmd}")
    return row


def check_outcome(row, run):
    """Output, error, exit code and files of a counted run are those of a bare one; the bare outcome is returned."""
    changes = row.program.changes
    bare, again = run.bare(), run.bare()
    if bare.differences(again):
        row.normalised = sorted({what for what, _, _ in changes})
        bare, again = bare.normalised(changes), again.normalised(changes)
        row.wrong += [f"two bare runs differ in their {what}" for what in bare.differences(again)]
    counted, row.images, _ = run.counted()
    if row.normalised:
        counted = counted.normalised(changes)
    for what in bare.differences(counted):
        row.wrong.append(f"{what} under allocgate: {shown(counted, what)}, bare: {shown(bare, what)}")
    return bare


def shown(outcome, what):
    value = getattr(outcome, what.replace(" ", "_"))
    return sorted(value) if isinstance(value, dict) else repr(value)[-200:]


def check_valgrind(row, run, bare):
    outcome, totals = run.under_valgrind()
    if outcome.exit_code != bare.exit_code:
        row.wrong.append(f"valgrind's run ended with {outcome.exit_code}, not with {bare.exit_code}")
    # Valgrind prints nothing for an image that exec replaced, and adds a parent's totals to those of a forked child.
    seen = [image for image in row.images if image.end != "replaced" and not image.forked]
    unseen = [image for image in row.images if image not in seen and image.heap != Heap()]
    row.valgrind = total(image.heap for image in seen) - total(totals)
    if row.program.explained:
        if row.valgrind != row.program.more:
            row.wrong.append(f"{words(row.valgrind)} more than valgrind, {words(row.program.more)} are explained")
        return
    only_ours, only_theirs = (Counter(image.heap for image in seen), Counter(totals))
    only_ours, only_theirs = only_ours - only_theirs, only_theirs - only_ours
    row.wrong += [f"{image.name}: {words(image.heap)} by allocgate" for image in seen if image.heap in only_ours]
    row.wrong += [f"an image: {words(heap)} by valgrind" for heap in only_theirs]
    row.wrong += [f"{image.name} was not compared: it forked or was replaced by exec" for image in unseen]


def check_probes(row, run):
    images, calls = run.probed()
    by_pid = {}
    for image in images:
        by_pid[image.pid] = by_pid.get(image.pid, Heap()) + image.heap
    if any(image.failed_allocations for image in images):
        row.wrong.append("requests failed: a probe counts a call before it fails")
    for pid in sorted(by_pid.keys() | calls.keys()):
        ours, theirs = by_pid.get(pid, Heap()), calls.get(pid, Heap())
        if ours != theirs:
            name = next((image.name for image in images if image.pid == pid), "a process allocgate does not know")
            row.wrong.append(f"{name}: {words(ours)} by allocgate, {words(theirs)} by probes in the same run")
    row.images, row.probed = images, True


def words(heap):
    return f"{heap.allocations:,} allocations, {heap.deallocations:,} deallocations, {heap.requested_bytes:,} bytes"

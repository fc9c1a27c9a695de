#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Runs the command lines of a case file and compares what they print and end with, to the byte.

A case file holds, line by line:

    # why the case is there
    $ COMMAND LINE      run by sh in an empty folder that holds a copy of fixtures/; `allocgate` is the command under test
    > TEXT              the next line of its standard output
    ! TEXT              the next line of its standard error
    ? N                 its exit status, after the lines; 0 where it is left out

A text may hold {any}, which stands for anything within the line: dates, times, paths. With --update the file is
written anew from what happens now; read the difference before you commit it.
"""

import argparse
import dataclasses
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile


@dataclasses.dataclass
class Step:
    comment: list
    command: str
    out: list = dataclasses.field(default_factory=list)
    err: list = dataclasses.field(default_factory=list)
    status: int = 0


def parse(text):
    steps, comment = [], []
    for line in text.splitlines():
        kind, rest = line[:1], line[2:]
        if kind == "$":
            steps.append(Step(comment, rest))
            comment = []
        elif kind == ">":
            steps[-1].out.append(rest)
        elif kind == "!":
            steps[-1].err.append(rest)
        elif kind == "?":
            steps[-1].status = int(rest)
        elif kind in ("#", ""):
            comment.append(line)
        else:
            sys.exit(f"not a line of a case file: {line!r}")
    if comment and any(comment):
        sys.exit("a comment without a command follows the last step")
    return steps


def written(steps):
    lines = []
    for step in steps:
        lines += step.comment + [f"$ {step.command}"]
        lines += [f"> {line}".rstrip() for line in step.out] + [f"! {line}".rstrip() for line in step.err]
        if step.status != 0:
            lines.append(f"? {step.status}")
    return "\n".join(lines) + "\n"


# What differs from run to run and is not what a case is about; only the dates of the fixtures are fixed.
VARYING = re.compile(r"(?!2026-01-02T)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def run(command, folder, environment):
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, check=False)
    return done.stdout.decode().splitlines(), done.stderr.decode().splitlines(), done.returncode


def matches(expected, actual):
    if len(expected) != len(actual):
        return False
    return all(re.fullmatch(".*".join(re.escape(part) for part in line.split("{any}")), seen)
               for line, seen in zip(expected, actual))


def differences(step, out, err, status):
    for name, expected, actual in (("standard output", step.out, out), ("standard error", step.err, err)):
        if not matches(expected, actual):
            yield f"{name} was\n" + "\n".join(actual) + "\nand should be\n" + "\n".join(expected)
    if status != step.status:
        yield f"exit status was {status} and should be {step.status}"


def environment_with(program, bin_folder):
    (bin_folder / "allocgate").symlink_to(program)
    # The fixtures' scripts run with the Python that runs this one, which need not be in /usr/bin.
    python = bin_folder / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS") if name in os.environ}
    return kept | {"PATH": f"{bin_folder}:/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "HOME": "/"}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--allocgate", required=True, type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("case", type=pathlib.Path)
    options = parser.parse_args()

    steps = parse(options.case.read_text())
    failed = 0
    with tempfile.TemporaryDirectory(prefix="allocgate-case-") as name:
        folder, bin_folder = pathlib.Path(name) / "work", pathlib.Path(name) / "bin"
        shutil.copytree(options.case.parent.parent / "fixtures", folder)
        bin_folder.mkdir()
        environment = environment_with(options.allocgate.resolve(), bin_folder)
        for step in steps:
            out, err, status = run(step.command, folder, environment)
            if options.update:
                if not matches(step.out, out):
                    step.out = [VARYING.sub("{any}", line) for line in out]
                if not matches(step.err, err):
                    step.err = [VARYING.sub("{any}", line) for line in err]
                step.status = status
                continue
            for difference in differences(step, out, err, status):
                failed = 1
                print(f"{options.case.name}: $ {step.command}\n{difference}\n")
    if options.update:
        options.case.write_text(written(steps))
    return failed


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Prints the rows, for a terminal or as the page that the documentation keeps."""

import platform
import re
import subprocess
from datetime import date
from pathlib import Path

from heap import Heap

COLUMNS = ["program", "images", "allocations", "deallocations", "requested bytes", "compared with", "verdict"]
RIGHT = range(1, 5)


def cells(row):
    if row.skipped:
        return [row.program.name, "", "", "", "", "", "skipped"]
    heap = row.heap
    return [row.program.name, str(len(row.images)), f"{heap.allocations:,}", f"{heap.deallocations:,}",
            f"{heap.requested_bytes:,}", compared_with(row), row.verdict]


def compared_with(row):
    counters = []
    if row.valgrind is not None:
        difference = "" if row.valgrind == Heap() else " ({0.allocations:+,} {0.deallocations:+,} {0.requested_bytes:+,})"
        counters.append("valgrind" + difference.format(row.valgrind))
    return ", ".join(counters + ["probes"] * row.probed)


def remarks(row):
    """What else there is to say of a row, as sentences."""
    said = [row.skipped] if row.skipped else list(row.wrong)
    if not row.skipped:
        said += [row.program.explained or row.program.not_by_valgrind]
        said += [f"{what} change between two bare runs and are left out" for what in row.normalised]
    return [sentence for sentence in said if sentence]


def heading_line():
    width = " ".join(f"{name:>15}" if column in RIGHT else f"{name:<15}" for column, name in enumerate(COLUMNS))
    return width.rstrip()


def text_lines(row):
    line = " ".join(f"{cell:>15}" if column in RIGHT else f"{cell:<15}" for column, cell in enumerate(cells(row)))
    return [line.rstrip(), *(f"    {sentence}" for sentence in remarks(row))]


def machine():
    """What the numbers depend on."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{release.get('PRETTY_NAME', platform.system())}, {' '.join(platform.libc_ver())}, {platform.machine()}, {valgrind}"


def code(text):
    return "`" + re.sub(r"\s+", " ", text).replace("|", "\\|") + "`"


def markdown_lines(rows, introduction):
    yield from ["# Real programs, counted by others", "", *introduction.strip().splitlines(), ""]
    judged = [row for row in rows if not row.skipped]
    yield f"{date.today().isoformat()}, {machine()}: {len(judged)} programs, " + ", ".join(
        f"{sum(row.verdict == verdict for row in rows)} {verdict}" for verdict in ("equal", "explained", "different", "skipped")) + "."
    yield from ["", f"| {' | '.join(COLUMNS)} |", "|" + "|".join("---:" if c in RIGHT else "---" for c in range(len(COLUMNS))) + "|"]
    yield from (f"| {' | '.join(cells(row))} |" for row in rows)
    yield from ["", "## What is run", "", "| program | command | also the same | packages | remarks |", "|---|---|---|---|---|"]
    for row in rows:
        program = row.program
        files = ", ".join(map(code, program.compare_files))
        said = "; ".join([*([f"under load: {code(program.load)}"] if program.load else []),
                          *([f"as user {program.user}"] if program.user else []), *remarks(row)])
        packages = " ".join(sorted(set(program.packages.values())))
        yield f"| {program.name} | {code(program.command)} | {files} | {packages} | {said} |"

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
DESCRIPTION = ["program", "command", "also the same", "packages", "remarks"]


def cells(row):
    if row.skipped:
        return [row.program.name, "", "", "", "", "", "skipped"]
    heap = row.heap
    return [row.program.name, str(len(row.images)), f"{heap.allocations:,}", f"{heap.deallocations:,}",
            f"{heap.requested_bytes:,}", compared_with(row), row.verdict]


def compared_with(row):
    counters = []
    if row.valgrind is not None:
        more = " ({0.allocations:+,} {0.deallocations:+,} {0.requested_bytes:+,})".format(row.valgrind)
        counters.append("valgrind" + ("" if row.valgrind == Heap() else more))
    return ", ".join(counters + ["probes"] * row.probed)


def remarks(row):
    """What else there is to say of a row, as sentences."""
    said = [row.skipped] if row.skipped else list(row.wrong)
    if not row.skipped:
        said += [row.program.explained or row.program.not_by_valgrind]
        said += [f"{what} change between two bare runs and are left out" for what in row.normalised]
    return [sentence for sentence in said if sentence]


def aligned(line):
    return " ".join(f"{cell:>15}" if column in RIGHT else f"{cell:<18}" for column, cell in enumerate(line)).rstrip()


def heading_line():
    return aligned(COLUMNS)


def text_lines(row):
    return [aligned(cells(row)), *(f"    {sentence}" for sentence in remarks(row))]


def machine():
    """What the numbers depend on."""
    release = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', Path("/etc/os-release").read_text(), re.MULTILINE))
    valgrind = subprocess.run(["valgrind", "--version"], capture_output=True, text=True).stdout.strip()
    return ", ".join([release["PRETTY_NAME"], " ".join(platform.libc_ver()), platform.machine(), valgrind])


def code(text):
    return "`" + re.sub(r"\s+", " ", text).replace("|", "\\|") + "`"


def markdown_lines(rows, introduction):
    ran = len(rows) - sum(bool(row.skipped) for row in rows)
    verdicts = [f"{sum(row.verdict == verdict for row in rows)} {verdict}"
                for verdict in ("equal", "explained", "different", "skipped")]
    yield from ["# Real programs, counted by others", "", *introduction.strip().splitlines(), ""]
    yield f"By `ci/oracle --markdown` on {date.today().isoformat()}, {machine()}:"
    yield f"{ran} programs, {', '.join(verdicts)}."
    yield from ["", *markdown_table(COLUMNS, map(cells, rows), RIGHT)]
    yield from ["", "## What is run", ""]
    yield from markdown_table(DESCRIPTION, map(description, rows), [])


def markdown_table(columns, lines, right):
    yield f"| {' | '.join(columns)} |"
    yield "|" + "|".join("---:" if column in right else "---" for column in range(len(columns))) + "|"
    for line in lines:
        yield f"| {' | '.join(line)} |"


def description(row):
    program, said = row.program, []
    if program.load:
        said.append(f"under load: {code(program.load)}")
    if program.user:
        said.append(f"as user {program.user}")
    return [program.name, code(program.command), ", ".join(map(code, program.compare_files)),
            " ".join(sorted(set(program.packages.values()))), "; ".join(said + remarks(row))]

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What a process asked of the heap, as allocgate and as valgrind tell it."""

import json
import re
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Heap:
    """Events and requested bytes of one image, or the sum of several."""
    allocations: int = 0
    deallocations: int = 0
    requested_bytes: int = 0

    def __add__(self, other):
        return Heap(self.allocations + other.allocations, self.deallocations + other.deallocations,
                    self.requested_bytes + other.requested_bytes)

    def __sub__(self, other):
        return Heap(self.allocations - other.allocations, self.deallocations - other.deallocations,
                    self.requested_bytes - other.requested_bytes)


@dataclass(frozen=True)
class Image:
    """One entry of a result's `processes`: a process between two execs."""
    pid: int
    executable: str
    end: str
    forked: bool
    failed_allocations: int
    heap: Heap

    @property
    def name(self):
        return Path(self.executable).name


def total(heaps):
    return sum(heaps, Heap())


def read_result(file):
    """The images of a result that `allocgate stat --format json` wrote, in the order of the result."""
    (workload,) = json.loads(file.read_text())["workloads"]
    images, executables = [], {}
    for process in workload["processes"]:
        pid, measures = process["pid"], process["measures"]
        parent = executables.get(process.get("parent_pid"))
        # The first entry of a child that still is what its parent is came from fork, not from exec.
        forked = pid not in executables and process["executable"] == parent
        executables[pid] = process["executable"]
        images.append(Image(pid, process["executable"], process.get("end", "unknown"), forked,
                            measures.get("failed_allocations", 0),
                            Heap(measures["allocations"], measures["deallocations"], measures["allocated_bytes"])))
    return images


VALGRIND_TOTAL = re.compile(r"total heap usage: ([\d,]+) allocs, ([\d,]+) frees, ([\d,]+) bytes allocated")


def read_valgrind(folder):
    """Valgrind's totals of every image that came to its end; one that was replaced by exec prints none."""
    totals = []
    for log in sorted(folder.iterdir()):
        found = VALGRIND_TOTAL.search(log.read_text(errors="replace"))
        if found:
            totals.append(Heap(*(int(number.replace(",", "")) for number in found.groups())))
    return totals

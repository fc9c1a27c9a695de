# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What ci/check_package expects of the results that it wrote into the folder named on the command line."""

import json
import sys
from pathlib import Path

folder = Path(sys.argv[1])
wrong = []


def measures_of(name):
    (workload,) = json.loads((folder / name).read_text())["workloads"]
    if workload["status"] != "ok":
        wrong.append(f"{name}: status {workload['status']}: {workload.get('error')}")
    return workload["measures"]


def expect(what, actual, expected):
    if actual != expected:
        wrong.append(f"{what}: {actual}, expected {expected}")


# 1000 iterations more of counted_loop: exactly 1000 pairs of 32 bytes more.
none, thousand = measures_of("none.json"), measures_of("thousand.json")
for measure, more in {"allocations": 1000, "deallocations": 1000, "allocated_bytes": 32000}.items():
    expect(f"stat: {measure} more", thousand[measure]["median"] - none[measure]["median"], more)

# string_bench: two blocks of 100 and 1000 bytes an iteration, nothing else inside the loop.
bench = measures_of("bench.json")
for measure, slope in {"allocations": 2, "deallocations": 2, "allocated_bytes": 1100, "live_allocations": 0}.items():
    series = bench[measure]
    expect(f"run: {measure}", (series["linear"], series["slope"], series["setup"]),
           (True, {"count": slope, "iterations": 1}, 0))
    expect(f"run: class of {measure}", series["class"], "exact")

print("\n".join(wrong), end="\n" if wrong else "")
sys.exit(1 if wrong else 0)

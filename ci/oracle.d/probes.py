# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Counts the calls that arrive in an allocator itself, by uprobes in the kernel: no preload, no valgrind."""

import contextlib
import ctypes
import json
import os
import platform
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

from heap import Heap
from outcome import Unable

LONGEST_START_S = 60

# Only processes below ours count, and what a vfork child does in its parent's memory counts as the parent's until it
# calls exec. The uprobe that says `ready` stands first, because bpftrace attaches from last to first: once it fires,
# all of them do.
START = """
tracepoint:task:task_newtask /pid == ROOT || @counts_as[pid]/ {
  @parents[args->pid] = pid;
  @counts_as[args->pid] = (args->clone_flags & CLONE_VFORK) ? @counts_as[pid] : args->pid;
}
tracepoint:sched:sched_process_exec /@parents[pid]/ { @counts_as[pid] = pid; }
uprobe:LIBRARY:gnu_get_libc_version /pid == ROOT/ { printf("ready"); }
"""
# Which calls are events: the function, when, the requested bytes if it allocates, whether it releases a block.
# Glibc's realloc(NULL, n), and its memalign with an alignment that malloc has anyway, go on to malloc's own first
# instruction: they are counted there. Jemalloc does each in a function of its own.
LIBC = [
    ("malloc", "FROM_OUTSIDE", "arg0", False),
    ("calloc", "", "arg0 * arg1", False),
    ("realloc", "arg0 != 0 && arg1 != 0", "arg1", True),
    ("realloc", "arg0 != 0 && arg1 == 0", "", True),
    ("memalign", "arg0 > 16", "arg1", False),
    ("posix_memalign", "arg1 > 16", "arg2", False),
    ("free", "arg0 != 0 && FROM_OUTSIDE", "", True),
]
JEMALLOC = [
    ("malloc", "", "arg0", False),
    ("calloc", "", "arg0 * arg1", False),
    ("realloc", "arg0 == 0", "arg1", False),
    ("realloc", "arg0 != 0 && arg1 != 0", "arg1", True),
    ("realloc", "arg0 != 0 && arg1 == 0", "", True),
    ("aligned_alloc", "", "arg1", False),
    ("memalign", "", "arg1", False),
    ("posix_memalign", "", "arg2", False),
    ("free", "arg0 != 0", "", True),
]


def uprobes(library, calls):
    """The lines of a bpftrace program that count `calls` in the file `library`."""
    for function, condition, size, releases in calls:
        if "FROM_OUTSIDE" in condition:
            condition = condition.replace("FROM_OUTSIDE", from_outside(function))
        actions = f"@allocations[$who] = count(); @bytes[$who] = sum({size}); " if size else ""
        actions += "@deallocations[$who] = count(); " if releases else ""
        where = " && ".join(filter(None, ["@counts_as[pid]", condition]))
        yield f"uprobe:{library}:{function} /{where}/ {{ $who = @counts_as[pid]; {actions}}}"


def missing():
    """What stands in the way of probes on this machine, or nothing."""
    if platform.machine() != "x86_64":
        return "the probes read x86-64 code"
    if os.geteuid() != 0:
        return "uprobes need root"
    if not any(os.access(f"{folder}/bpftrace", os.X_OK) for folder in ("/usr/bin", "/usr/local/bin")):
        return "bpftrace is not installed: apt-get install bpftrace"
    return ""


def library_file(name):
    """The file of a shared library by its name, as the loader finds it."""
    listing = subprocess.run(["/sbin/ldconfig", "-p"], capture_output=True, text=True, check=True).stdout
    found = re.search(rf"^\s*{re.escape(name)} \(libc6,x86-64\) => (\S+)", listing, re.MULTILINE)
    if not found:
        raise Unable(f"the loader knows no {name}")
    return str(Path(found[1]).resolve())


def from_outside(function):
    """A condition: the return address is not behind one of the calls that libc's code makes straight to `function`.

    No other definition of the function sees those: an ending thread's free() of what its cache holds, a realloc() that
    has to move a block.
    """
    start = ctypes.cast(ctypes.CDLL("libc.so.6")[function], ctypes.c_void_p).value
    conditions = []
    for first, last in executable_ranges(start):
        code = ctypes.string_at(first, last - first)
        for call in re.finditer(b"\xe8(?=(.{4}))", code, re.DOTALL):
            returns_to = first + call.end() + 4
            if returns_to + int.from_bytes(call[1], "little", signed=True) == start:
                conditions.append(f"*(uint64*)reg(\"sp\") - reg(\"ip\") != {returns_to - start}")
    return " && ".join(conditions) or "1"


def executable_ranges(address):
    """Where the code of the library that holds `address` lies in this process; the same code as in any other."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        first, last = (int(bound, 16) for bound in line.split()[0].split("-"))
        if first <= address < last:
            yield first, last


class Probes:
    """bpftrace at work; a context manager, so that it is never left behind. Afterwards `counts` is pid -> Heap,
    and `parents` says which process started which (threads are among them)."""

    def __init__(self, allocators, scratch):
        libc = library_file("libc.so.6")
        lines = [START.replace("ROOT", str(os.getpid())).replace("CLONE_VFORK", "0x4000").replace("LIBRARY", libc)]
        lines += uprobes(libc, LIBC)
        for allocator in allocators:
            lines += uprobes(library_file(allocator), JEMALLOC)
        self.script, self.printed, self.errors = (scratch / f"probes.{kind}" for kind in ("bt", "json", "log"))
        self.script.write_text("\n".join(lines))
        self.counts, self.parents = {}, {}

    def __enter__(self):
        # The tracepoint needs tracefs, which a mount namespace of its own gives without changing the machine's.
        line = f"mount -t tracefs nodev /sys/kernel/tracing && exec bpftrace -f json {shlex.quote(str(self.script))}"
        with self.printed.open("wb") as printed, self.errors.open("wb") as errors:
            self.process = subprocess.Popen(["unshare", "--mount", "sh", "-c", line], stdout=printed, stderr=errors,
                                            env=os.environ | {"BPFTRACE_MAP_KEYS_MAX": "65536"})
        deadline = time.monotonic() + LONGEST_START_S
        while "ready" not in self.printed.read_text():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.end()
                raise Unable(f"bpftrace attached no probes: {self.errors.read_text().strip()}")
            ctypes.CDLL(None).gnu_get_libc_version()
            time.sleep(0.05)
        return self

    def __exit__(self, *_):
        self.end()
        maps = {}
        for message in map(json.loads, filter(str.strip, self.printed.read_text().splitlines())):
            if message["type"] == "map":
                maps |= message["data"]
        self.parents = {int(child): parent for child, parent in maps.get("@parents", {}).items()}
        counters = [maps.get(name, {}) for name in ("@allocations", "@deallocations", "@bytes")]
        self.counts = {int(pid): Heap(*(counter.get(pid, 0) for counter in counters))
                       for pid in set().union(*counters)}

    def below(self, ancestor):
        """What the descendants of a process asked for, and not itself."""
        def descends(pid):
            while pid in self.parents and self.parents[pid] != pid:
                pid = self.parents[pid]
                if pid == ancestor:
                    return True
            return False

        return {pid: heap for pid, heap in self.counts.items() if descends(pid)}

    def end(self):
        while self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            # One that comes while bpftrace is still starting is lost, so it is sent until it is heard.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)

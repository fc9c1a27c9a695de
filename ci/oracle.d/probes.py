# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Counts the calls that arrive in an allocator itself, by uprobes in the kernel: no library, no preload, no valgrind."""

import contextlib
import ctypes
import json
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

from heap import Heap
from outcome import Unable

LONGEST_START_S = 60

# Only processes below ours count. The uprobe that says `ready` stands first, because bpftrace attaches from last to
# first: once it fires, all of them do.
START = """
tracepoint:sched:sched_process_fork /pid == ROOT || @below[pid]/ { @below[args->child_pid] = pid; }
uprobe:LIBRARY:gnu_get_libc_version /pid == ROOT/ { printf("ready"); }
"""
# Glibc's realloc(NULL, n), and its memalign with an alignment that malloc has anyway, go on to malloc's own first
# instruction: they are counted there.
LIBC = """
uprobe:LIBRARY:malloc /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg0); }
uprobe:LIBRARY:calloc /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg0 * arg1); }
uprobe:LIBRARY:realloc /@below[pid] && arg0 != 0 && arg1 != 0/
  { @allocations[pid] = count(); @bytes[pid] = sum(arg1); @deallocations[pid] = count(); }
uprobe:LIBRARY:realloc /@below[pid] && arg0 != 0 && arg1 == 0/ { @deallocations[pid] = count(); }
uprobe:LIBRARY:memalign /@below[pid] && arg0 > 16/ { @allocations[pid] = count(); @bytes[pid] = sum(arg1); }
uprobe:LIBRARY:posix_memalign /@below[pid] && arg1 > 16/ { @allocations[pid] = count(); @bytes[pid] = sum(arg2); }
uprobe:LIBRARY:free /@below[pid] && arg0 != 0/ { @deallocations[pid] = count(); }
"""
# Jemalloc does each in a function of its own.
JEMALLOC = """
uprobe:LIBRARY:malloc /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg0); }
uprobe:LIBRARY:calloc /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg0 * arg1); }
uprobe:LIBRARY:realloc /@below[pid] && (arg0 == 0 || arg1 != 0)/ { @allocations[pid] = count(); @bytes[pid] = sum(arg1); }
uprobe:LIBRARY:realloc /@below[pid] && arg0 != 0/ { @deallocations[pid] = count(); }
uprobe:LIBRARY:aligned_alloc /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg1); }
uprobe:LIBRARY:memalign /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg1); }
uprobe:LIBRARY:posix_memalign /@below[pid]/ { @allocations[pid] = count(); @bytes[pid] = sum(arg2); }
uprobe:LIBRARY:free /@below[pid] && arg0 != 0/ { @deallocations[pid] = count(); }
"""


def missing():
    """What stands in the way of probes on this machine, or nothing."""
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


class Probes:
    """bpftrace at work; a context manager, so that it is never left behind. Afterwards `counts` is pid -> Heap,
    and `parents` says which process started which (threads are among them)."""

    def __init__(self, allocators, scratch):
        libc = library_file("libc.so.6")
        text = START.replace("ROOT", str(os.getpid())).replace("LIBRARY", libc) + LIBC.replace("LIBRARY", libc)
        for allocator in allocators:
            text += JEMALLOC.replace("LIBRARY", library_file(allocator))
        self.script, self.printed, self.errors = (scratch / f"probes.{kind}" for kind in ("bt", "json", "log"))
        self.script.write_text(text)
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
        self.parents = {int(child): parent for child, parent in maps.get("@below", {}).items()}
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

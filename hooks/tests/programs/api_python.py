# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The C API from Python, by its one symbol: a window around allocations that ctypes makes. Exit code 0 when it held."""
import ctypes
import sys


class Counters(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint64) for name in (
        "allocations", "deallocations", "reallocations", "failed_allocations", "allocated_bytes",
        "allocated_usable_bytes", "deallocated_bytes")] + [
        ("live_bytes", ctypes.c_int64), ("peak_live_bytes", ctypes.c_int64), ("size_classes", ctypes.c_uint64 * 64)]


READ = ctypes.CFUNCTYPE(None, ctypes.POINTER(Counters))


class Table(ctypes.Structure):
    _fields_ = [("size", ctypes.c_uint32), ("version", ctypes.c_uint32), ("level", ctypes.c_uint32),
                ("reserved", ctypes.c_uint32), ("read_process", READ), ("read_thread", READ)]


program = ctypes.CDLL(None)
table = Table.in_dll(program, "allocgate_hooks_v1")
if table.version != 1 or table.size < ctypes.sizeof(Table):
    sys.exit("the table is of another version")
program.malloc.restype = ctypes.c_void_p
before, after = Counters(), Counters()
SIZE = 3000001  # in a size class of its own
table.read_process(ctypes.byref(before))
blocks = [program.malloc(SIZE) for _ in range(10)]
table.read_process(ctypes.byref(after))
counted = after.size_classes[22] - before.size_classes[22]
if counted != 10 or None in blocks:
    sys.exit(f"10 requests of {SIZE} bytes were counted as {counted}")

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
#
# hazard: python opens a C++ library and calls it
# elsewhere: a crash (no operator new beyond the hooks in a C program), or the library's events are missed
# proof: as in functions_cxx_plugin, whose library this opens; python's own are the same in both runs
# runs: glibc
# needs: python3
# environment: PYTHONHASHSEED=0
# argument: 200
# expect difference(200): allocations=600 deallocations=600 exit=0
# expect ends: replaced exited
exec python3 -s -S -c '
import ctypes, sys
ctypes.CDLL(sys.argv[1]).hazard_work(int(sys.argv[2]))
' "${0%/*}/libfunctions_cxx_plugin.so" "$1"

#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
#
# hazard: a shell script that runs two programs one after the other
# elsewhere: the shell's counts and its children's are mixed, or the children's are lost
# proof: each program makes N pairs (start_bind_now serves as one); the shell's own are the same in both runs
# runs: glibc mimalloc
# argument: 500
# expect difference(500): allocations=1000 deallocations=1000 exit=3
# expect process(start_bind_now): exit=0
# expect last: allocations=500 deallocations=500
"${0%/*}/start_bind_now" "$1"
"${0%/*}/start_bind_now" "$1"
exit 3

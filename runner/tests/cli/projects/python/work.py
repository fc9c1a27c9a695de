# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""A script: a block of more than 512 bytes a round, which Python asks malloc for; two where PLANTED is true."""
import sys

PLANTED = False

for _ in range(int(sys.argv[1])):
    block = bytearray(4096)
    if PLANTED:
        block = bytearray(4096)

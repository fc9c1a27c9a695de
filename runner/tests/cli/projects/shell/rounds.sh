# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
# As many programs as the argument says.
count=0
while [ "$count" -lt "$1" ]; do
  ls /dev/null
  count=$((count + 1))
done

# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
# A few programs, as a shell script starts them.
ls /dev/null
echo done

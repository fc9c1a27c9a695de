/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* Preloaded: fsync makes the file SLOW_DISK_MARK and does not come back until a signal ends the process. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

int fsync(int descriptor) {
  (void)descriptor;
  close(open(getenv("SLOW_DISK_MARK"), O_WRONLY | O_CREAT, 0600));
  for (;;) {
    pause();
  }
}

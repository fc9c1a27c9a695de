// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The summary of a program that was run by hand, without the runner: once, at the exit of the image that mapped the
// counters, over it and its forked children. To standard error, if that is still the file it was at start-up (a program
// may have closed descriptor 2 and got its own file under that number), or as JSON to ALLOCGATE_OUTPUT.
#pragma once

#include <stdint.h>

namespace allocgate::hooks {

/* `pid` is the calling process, here and below. Remembers standard error and where the summary goes: a later chdir or
 * clearenv changes neither. */
void prepare_summary(int32_t pid);

/* Writes it, unless this process is a child of the one that prepared. */
void write_summary(int32_t pid);

}  // namespace allocgate::hooks

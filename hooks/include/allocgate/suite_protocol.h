/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SUITE_PROTOCOL_H
#define ALLOCGATE_SUITE_PROTOCOL_H

/*
 * How the runner talks to a google-benchmark program that links the adapter (allocgate::benchmark), version 1.
 *
 * The runner starts the program with these variables; without them the program behaves as any google-benchmark
 * program. Windows come back through the hook record (allocgate_window_entry), everything else through the two files
 * named here, because a program's standard output is its own.
 */

/* A path: the adapter writes its workloads there as JSON and exits 0 without running any.
 * {"schema": "allocgate.suite/1", "workloads": [{"name", "core", "core_version", "exercises", "iterations",
 *   "threads", "gate", "depends_on": [...], "does_not_depend_on": [...],
 *   "layers": [{"layer", "workload", "times"}]}]}; all but the names may be absent. */
#define ALLOCGATE_ENV_SUITE_LIST "ALLOCGATE_SUITE_LIST"

/* The exact name of the one workload to run, as the listing gives it. */
#define ALLOCGATE_ENV_SUITE_WORKLOAD "ALLOCGATE_SUITE_WORKLOAD"

/* Iteration counts separated by commas, one window each, in this order: "1,1,2,3" is a warm-up and three windows.
 * Which of them have their call stacks recorded: stack_record.h. */
#define ALLOCGATE_ENV_SUITE_WINDOWS "ALLOCGATE_SUITE_WINDOWS"

/* A path: what the windows reported beside their counts, in the same order.
 * {"schema": "allocgate.suite-report/1", "windows": [{"iterations", "error", "counters": {NAME: number},
 *   "times": {"wall_time_ns", "cpu_time_ns", "page_faults", "context_switches", "peak_resident_bytes"}}]}
 * Where the hooks are not loaded nothing is counted, and `times` says what the loop took, and how much memory the whole
 * process had at its greatest; else there are none. */
#define ALLOCGATE_ENV_SUITE_REPORT "ALLOCGATE_SUITE_REPORT"

#endif /* ALLOCGATE_SUITE_PROTOCOL_H */

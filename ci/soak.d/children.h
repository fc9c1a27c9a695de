/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_SOAK_CHILDREN_H
#define ALLOCGATE_SOAK_CHILDREN_H

/*
 * Children of every kind. Each ends where its tally is given, its threads are gone and no call is under way: counts up
 * to the end are comparable only if the end is not in the middle of a call.
 */

#include "calls.h"

/* Starts a child of some kind, waits for it, and ends the program with a sentence if it ended otherwise than it
 * should. The signals must be open; they are again when it comes back. */
void have_a_child(struct random* numbers);

/* The whole life of the image that children become: `times` calls. */
int be_an_image(uint64_t seed, unsigned times);

#endif /* ALLOCGATE_SOAK_CHILDREN_H */

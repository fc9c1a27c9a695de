// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Whether calls that should reach the hooks do: reads what the references of all loaded objects were resolved to. An
// object opened with RTLD_DEEPBIND, an allocator in the executable or preloaded before us, a libc in a namespace of its
// own (dlmopen) would otherwise be missed in silence. Takes the loader's list lock: reached at the start, before an
// object is closed or the image is replaced, for a reading and at the end, and never from inside a request. What a
// process opened and did not close before a signal ended it is therefore not looked at.
#pragma once

#include <stdint.h>

namespace allocgate::hooks {

/* What was found, in the terms of the record: enum allocgate_process_flag bits, and the object they are about. */
struct UncountedCalls {
  uint32_t flags = 0;
  const char* object = nullptr; /* a path; empty for the executable, null for none; valid until objects are closed */
  bool may_forward = false;     /* SHADOWED is for an object before us alone, which may look for us when first called */
};

/* Whether objects came or went since the last check, or there was none, or what it found may have changed. */
bool references_may_have_changed();

/* Checks all objects. One thread at a time. */
UncountedCalls check_references();

}  // namespace allocgate::hooks

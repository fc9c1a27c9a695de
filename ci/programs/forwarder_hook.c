/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */

/* The least that any interposing library costs: calls the next definition and counts nothing. */

#include "reference_hook.h"

void* malloc(size_t size) {
  require_next();
  return g_next_malloc(size);
}

void free(void* block) {
  require_next();
  g_next_free(block);
}

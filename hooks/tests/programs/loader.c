/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* What a program sees of the loader with the hooks below it. */
#include <dlfcn.h>
#include <stdlib.h>

#include "probe.h"

/* No message of somebody else's lookup. */
static int dlerror_stays(long count) {
  for (; count > 0; --count) {
    free(used(malloc(100)));
  }
  HOLDS(dlerror() == NULL);
  return 0;
}

/* A C program that loads a C++ plug-in for itself alone: the plug-in's `count` news and deletes count. */
static int local_plugin(long count) {
  void* plugin = dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL);
  int (*work)(long);
  HOLDS(plugin != NULL);
  *(void**)&work = dlsym(plugin, "plugin_work");
  HOLDS(work != NULL);
  HOLDS(work(count) == 0);
  return 0;
}

static const struct probe_case k_cases[] = {
    {"dlerror_stays", dlerror_stays},
    {"local_plugin", local_plugin},
};

PROBE_MAIN(k_cases)

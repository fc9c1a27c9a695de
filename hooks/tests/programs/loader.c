/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
/* What a program sees of the loader with the hooks below it. */
#define _GNU_SOURCE
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

static int work_in(void* plugin, long count) {
  int (*work)(long);
  HOLDS(plugin != NULL);
  *(void**)&work = dlsym(plugin, "plugin_work");
  HOLDS(work != NULL);
  HOLDS(work(count) == 0);
  return 0;
}

/* A C program that loads a C++ plug-in for itself alone: the plug-in's `count` news and deletes count. */
static int local_plugin(long count) {
  return work_in(dlopen(PLUGIN, RTLD_NOW | RTLD_LOCAL), count);
}

static int plain_plugin(long count) {
  return work_in(dlopen(PLAIN_PLUGIN, RTLD_LAZY), count);
}

/* Calls that pass the hooks by, of an object that is gone at the end. */
static int deepbound(long count) {
  void* plugin = dlopen(PLAIN_PLUGIN, RTLD_NOW | RTLD_DEEPBIND);
  const int failed = work_in(plugin, count);
  return failed != 0 ? failed : dlclose(plugin);
}

static int deepbound_lazily(long count) {
  return work_in(dlopen(PLAIN_PLUGIN, RTLD_LAZY | RTLD_DEEPBIND), count);
}

static int other_namespace(long count) {
  void* plugin = dlmopen(LM_ID_NEWLM, PLAIN_PLUGIN, RTLD_NOW);
  const int failed = work_in(plugin, count);
  return failed != 0 ? failed : dlclose(plugin);
}

static const struct probe_case k_cases[] = {
    {"dlerror_stays", dlerror_stays}, {"local_plugin", local_plugin},         {"plain_plugin", plain_plugin},
    {"deepbound", deepbound},         {"deepbound_lazily", deepbound_lazily}, {"other_namespace", other_namespace},
};

PROBE_MAIN(k_cases)

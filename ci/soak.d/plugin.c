// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The library that the soak opens and closes while it runs: it allocates at both ends of its life, and its thread-local
// storage is made by the loader when a thread first comes.
#include <stdlib.h>
#include <string.h>

static _Thread_local char t_room[1000];
static void* g_block;

__attribute__((constructor)) static void begin(void) {
  g_block = malloc(100);
}

__attribute__((destructor)) static void end(void) {
  free(g_block);
}

__attribute__((visibility("default"))) int soak_plugin_work(int value) {
  char* volatile copy = strdup("a block of the plug-in's");
  free(copy);
  memset(t_room, value, sizeof t_room);
  return t_room[value % 100];
}

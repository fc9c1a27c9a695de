/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright the allocgate authors */
#ifndef ALLOCGATE_MACHO_DECLARATIONS_H
#define ALLOCGATE_MACHO_DECLARATIONS_H

/*
 * What interpose_macho.cpp needs of macOS, declared from its manual pages: enough to compile, not to run. ci/macho puts
 * it in the place of each of the system's headers. C and C++.
 */

#include <stddef.h>

#define EINVAL 22
#define errno (*__error())

#ifdef __cplusplus
extern "C" {
#endif

int* __error(void);

void* malloc(size_t size);
void* calloc(size_t count, size_t size);
void* realloc(void* pointer, size_t size);
void* reallocf(void* pointer, size_t size);
void* valloc(size_t size);
void* aligned_alloc(size_t alignment, size_t size);
int posix_memalign(void** result, size_t alignment, size_t size);
void free(void* pointer);

typedef struct _malloc_zone_t malloc_zone_t;
void* malloc_zone_malloc(malloc_zone_t* zone, size_t size);
void* malloc_zone_calloc(malloc_zone_t* zone, size_t count, size_t size);
void* malloc_zone_valloc(malloc_zone_t* zone, size_t size);
void* malloc_zone_memalign(malloc_zone_t* zone, size_t alignment, size_t size);
void* malloc_zone_realloc(malloc_zone_t* zone, void* pointer, size_t size);
void malloc_zone_free(malloc_zone_t* zone, void* pointer);
unsigned malloc_zone_batch_malloc(malloc_zone_t* zone, size_t size, void** results, unsigned count);
void malloc_zone_batch_free(malloc_zone_t* zone, void** pointers, unsigned count);

typedef unsigned long long malloc_type_id_t;
__attribute__((weak_import)) void* malloc_type_malloc(size_t size, malloc_type_id_t type);
__attribute__((weak_import)) void* malloc_type_calloc(size_t count, size_t size, malloc_type_id_t type);
__attribute__((weak_import)) void* malloc_type_realloc(void* pointer, size_t size, malloc_type_id_t type);
__attribute__((weak_import)) void malloc_type_free(void* pointer, malloc_type_id_t type);

typedef unsigned long pthread_key_t;
int pthread_key_create(pthread_key_t* key, void (*destructor)(void*));
void* pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void* value);

#ifdef __cplusplus
}
#endif

#endif /* ALLOCGATE_MACHO_DECLARATIONS_H */

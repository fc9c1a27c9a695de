// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/loaded_modules.hpp"

#include <elf.h>

#include "stacks/loader.hpp"
#include "stacks/private_memory.hpp"
#include "stacks/rule_cache.hpp"
#include "stacks/stack_section.hpp"

namespace allocgate::hooks {
namespace {

constexpr uint32_t k_most_modules = 0xfffe;  // numbers are 16 bits, and the last means something else
constexpr uint32_t k_chunk = 64;

// By number. Chunks are made when they are needed and stay.
LoadedModule* g_chunks[k_most_modules / k_chunk + 1];
uint32_t g_count = 0;  // numbers handed out; numbers begin at 1

// Where the next entry of the section goes.
SectionPage g_page;
uint32_t g_page_slots = 0;
bool g_is_writing = false;

LoadedModule* module_at(uint32_t number) {
  LoadedModule* chunk = __atomic_load_n(&g_chunks[number / k_chunk], __ATOMIC_ACQUIRE);
  return chunk != nullptr ? chunk + number % k_chunk : nullptr;
}

template <typename Visit>
void for_each_module(Visit visit) {
  const uint32_t count = __atomic_load_n(&g_count, __ATOMIC_ACQUIRE);
  for (uint32_t number = 1; number <= count && number <= k_most_modules; ++number) {
    LoadedModule* module = module_at(number);
    if (module != nullptr && __atomic_load_n(&module->number, __ATOMIC_ACQUIRE) == number && !visit(*module)) {
      return;
    }
  }
}

uint64_t mixed(uint64_t hash, const void* bytes, size_t size) {
  const auto* at = static_cast<const uint8_t*>(bytes);
  for (size_t i = 0; i < size; ++i) {
    hash = (hash ^ at[i]) * 0x100000001b3;
  }
  return hash;
}

size_t length_of(const char* text) {
  size_t length = 0;
  while (text[length] != '\0') {
    ++length;
  }
  return length;
}

struct Identity {
  char path[ALLOCGATE_STACKS_PATH_CAPACITY];
  bool path_is_cut = false;
  const uint8_t* build_id = nullptr;
  uint32_t build_id_size = 0;
  uint64_t hash = 0;
};

/* The end of a path that is too long tells more than its beginning. */
void set_path(Identity& identity, const char* path, size_t length) {
  identity.path_is_cut = length >= sizeof(identity.path);
  const char* kept = identity.path_is_cut ? path + length - (sizeof(identity.path) - 1) : path;
  size_t i = 0;
  for (; kept + i < path + length; ++i) {
    identity.path[i] = kept[i];
  }
  identity.path[i] = '\0';
}

void find_path(Identity& identity, const LoaderObject& object) {
  if (object.path != nullptr && object.path[0] != '\0') {
    set_path(identity, object.path, length_of(object.path));
    return;
  }
  const long length = read_link("/proc/self/exe", identity.path, sizeof(identity.path) - 1);
  identity.path[length > 0 ? length : 0] = '\0';
}

void find_build_id(Identity& identity, const uint8_t* note, const uint8_t* end) {
  while (note + sizeof(ElfW(Nhdr)) <= end) {
    const auto& header = *reinterpret_cast<const ElfW(Nhdr)*>(note);
    const uint8_t* name = note + sizeof(header);
    const uint8_t* content = name + ((header.n_namesz + 3u) & ~3u);
    const bool is_gnu = header.n_namesz == 4 && __builtin_memcmp(name, "GNU", 4) == 0;
    if (is_gnu && header.n_type == NT_GNU_BUILD_ID && header.n_descsz <= ALLOCGATE_STACKS_BUILD_ID_CAPACITY) {
      identity.build_id = content;
      identity.build_id_size = header.n_descsz;
      return;
    }
    note = content + ((header.n_descsz + 3u) & ~3u);
  }
}

/* Without a build id the shape of the object, and the beginning of its search table, have to do. */
void identify(Identity& identity, const LoaderObject& object) {
  find_path(identity, object);
  for (uint32_t i = 0; i < object.segment_count && identity.build_id == nullptr; ++i) {
    const ElfW(Phdr)& segment = object.segments[i];
    if (segment.p_type == PT_NOTE) {
      const auto* note = reinterpret_cast<const uint8_t*>(object.base + segment.p_vaddr);
      find_build_id(identity, note, note + segment.p_memsz);
    }
  }
  identity.hash = mixed(0xcbf29ce484222325, identity.path, length_of(identity.path));
  if (identity.build_id != nullptr) {
    identity.hash = mixed(identity.hash, identity.build_id, identity.build_id_size);
    return;
  }
  constexpr size_t k_looked_at = 4096;
  identity.hash = mixed(identity.hash, object.segments, object.segment_count * sizeof(ElfW(Phdr)));
  if (object.search_table != nullptr) {
    const auto rest = object.end - reinterpret_cast<uintptr_t>(object.search_table);
    identity.hash = mixed(identity.hash, object.search_table, rest < k_looked_at ? rest : k_looked_at);
  }
}

FrameTables find_tables(const LoaderObject& object, const Identity& identity) {
  const auto* limit = reinterpret_cast<const uint8_t*>(object.end);
  return object.search_table != nullptr ? tables_at(object.search_table, limit)
                                        : tables_of_file(identity.path, object.base, limit);
}

/* Null when the section has no room, or in a signal handler that interrupted this. */
allocgate_stack_module* claim_entry() {
  constexpr int k_most_waits = 10000;
  for (int waits = 0; __atomic_exchange_n(&g_is_writing, true, __ATOMIC_ACQUIRE); ++waits) {
    if (waits == k_most_waits) {
      return nullptr;
    }
    yield_processor();
  }
  if (g_page.address == nullptr || g_page_slots == ALLOCGATE_STACKS_MODULES_A_PAGE) {
    g_page = claim_page(ALLOCGATE_STACKS_MODULES, true);
    g_page_slots = 0;
  }
  allocgate_stack_module* entry = nullptr;
  if (g_page.address != nullptr) {
    auto* entries = reinterpret_cast<allocgate_stack_module*>(g_page.address + sizeof(allocgate_stacks_page));
    entry = entries + g_page_slots;
    g_page_slots += 1;
  }
  __atomic_store_n(&g_is_writing, false, __ATOMIC_RELEASE);
  return entry;
}

void write_entry(allocgate_stack_module& entry, const LoadedModule& module, const Identity& identity, uint32_t number) {
  entry.generation = rule_generation();
  entry.base = module.base;
  entry.begin = module.begin;
  entry.end = module.end;
  entry.build_id_size = identity.build_id_size;
  entry.path_is_cut = identity.path_is_cut ? 1 : 0;
  for (uint32_t i = 0; i < identity.build_id_size; ++i) {
    entry.build_id[i] = identity.build_id[i];
  }
  for (size_t i = 0; i < sizeof(entry.path); ++i) {
    entry.path[i] = identity.path[i];
    if (identity.path[i] == '\0') {
      break;
    }
  }
  __atomic_store_n(&entry.number, number, __ATOMIC_RELEASE);
}

/* Two threads may meet a module at once, and number it twice. */
const LoadedModule* add_module(const LoadedModule& module, const Identity& identity) {
  allocgate_stack_module* entry = claim_entry();
  const uint32_t number = entry != nullptr ? __atomic_add_fetch(&g_count, 1, __ATOMIC_RELAXED) : k_most_modules + 1;
  if (number > k_most_modules) {
    return nullptr;
  }
  LoadedModule** chunk = &g_chunks[number / k_chunk];
  if (__atomic_load_n(chunk, __ATOMIC_ACQUIRE) == nullptr) {
    LoadedModule* made = take_memory<LoadedModule>(k_chunk);
    LoadedModule* expected = nullptr;
    if (made == nullptr) {
      return nullptr;
    }
    if (!__atomic_compare_exchange_n(chunk, &expected, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      give_memory_back(made, k_chunk);
    }
  }
  LoadedModule& added = *module_at(number);
  added = module;
  write_entry(*entry, module, identity, number);
  __atomic_store_n(&added.number, number, __ATOMIC_RELEASE);
  return &added;
}

const LoadedModule* meet_module(const LoaderObject& object) {
  Identity identity;
  identify(identity, object);
  const LoadedModule* known = nullptr;
  for_each_module([&](LoadedModule& module) {
    if (module.begin == object.begin && module.end == object.end && module.base == object.base &&
        module.identity == identity.hash) {
      __atomic_store_n(&module.is_loaded, 1, __ATOMIC_RELEASE);
      known = &module;
    }
    return known == nullptr;
  });
  if (known != nullptr) {
    return known;
  }
  LoadedModule module;
  module.begin = object.begin;
  module.end = object.end;
  module.base = object.base;
  module.identity = identity.hash;
  module.is_loaded = 1;
  module.is_permanent = rule_generation() == 0;
  module.tables = find_tables(object, identity);
  return add_module(module, identity);
}

}  // namespace

ModuleSearch find_module(uintptr_t address) {
  ModuleSearch search;
  for_each_module([&](LoadedModule& module) {
    if (module.holds(address) && __atomic_load_n(&module.is_loaded, __ATOMIC_ACQUIRE) != 0) {
      search.module = &module;
    }
    return search.module == nullptr;
  });
  if (search.module != nullptr) {
    return search;
  }
  LoaderObject object;
  const LoaderAnswer answer = ask_loader(address, object);
  if (answer == LoaderAnswer::found) {
    search.module = meet_module(object);
  }
  search.is_certain = answer == LoaderAnswer::none || search.module != nullptr;
  return search;
}

void doubt_modules(void (*forget)(uintptr_t begin, uintptr_t end)) {
  for_each_module([&](LoadedModule& module) {
    if (!module.is_permanent) {
      __atomic_store_n(&module.is_loaded, 0, __ATOMIC_RELEASE);
      forget(module.begin, module.end);
    }
    return true;
  });
}

void forget_modules() {
  const uint32_t count = g_count < k_most_modules ? g_count : k_most_modules;
  for (uint32_t number = 1; number <= count; ++number) {
    if (LoadedModule* module = module_at(number); module != nullptr) {
      *module = {};
    }
  }
  g_count = 0;
  g_page = {};
  g_page_slots = 0;
  g_is_writing = false;
}

}  // namespace allocgate::hooks

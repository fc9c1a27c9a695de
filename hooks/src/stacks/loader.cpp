// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/loader.hpp"

#include "loaded_object.hpp"
#include "stacks/readable_memory.hpp"
#include "symbol_search.hpp"

namespace allocgate::hooks {
namespace {

/* As glibc's <dlfcn.h> has it since 2.35, on x86-64. */
struct FoundObject {
  unsigned long long flags;
  void* map_start;
  void* map_end;
  link_map* map;
  void* search_table;
  unsigned long long reserved[7];
};

using FindObject = int (*)(void* address, FoundObject* result);

FindObject g_find_object = nullptr;
ObjectRange g_loader;
uint32_t g_asking = 0;  // threads that are in the loader's list
bool g_may_not_ask = false;

/* The program headers of an object whose file begins in memory where it does. */
void read_segments(LoaderObject& object) {
  const auto* header = reinterpret_cast<const ElfW(Ehdr)*>(object.begin);
  constexpr unsigned char k_magic[] = {0x7f, 'E', 'L', 'F'};
  if (!is_page_readable(object.begin)) {
    return;
  }
  for (unsigned i = 0; i < sizeof(k_magic); ++i) {
    if (header->e_ident[i] != k_magic[i]) {
      return;
    }
  }
  const uintptr_t segments = object.begin + header->e_phoff;
  if (header->e_phentsize == sizeof(ElfW(Phdr)) &&
      is_readable(segments, segments + header->e_phnum * sizeof(ElfW(Phdr)))) {
    object.segments = reinterpret_cast<const ElfW(Phdr)*>(segments);
    object.segment_count = header->e_phnum;
  }
}

struct Question {
  uintptr_t address;
  LoaderObject* object;
};

int answer(dl_phdr_info* info, size_t, void* argument) {
  const Question& question = *static_cast<const Question*>(argument);
  const ObjectRange range = LoadedObject(*info).range();
  if (!range.contains(reinterpret_cast<const void*>(question.address))) {
    return 0;
  }
  LoaderObject& object = *question.object;
  object.begin = range.begin;
  object.end = range.end;
  object.base = info->dlpi_addr;
  object.path = info->dlpi_name;
  object.segments = info->dlpi_phdr;
  object.segment_count = info->dlpi_phnum;
  for (ElfW(Half) i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) {
      object.search_table = reinterpret_cast<const uint8_t*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    }
  }
  return 1;
}

struct WatchedData {
  const uint64_t* begin;
  const uint64_t* end;
};

int begin_watch(dl_phdr_info* info, size_t, void* argument) {
  const WatchedData& data = *static_cast<const WatchedData*>(argument);
  g_loader_watch.watch(data.begin, data.end, info->dlpi_adds);
  return 1;
}

}  // namespace

LoaderWatch g_loader_watch;

void LoaderWatch::watch(const uint64_t* begin, const uint64_t* end, uint64_t additions) {
  m_count = 0;
  for (const uint64_t* word = begin; word < end && m_count < k_most_words; ++word) {
    if (__atomic_load_n(word, __ATOMIC_RELAXED) == additions) {
      m_words[m_count] = word;
      m_seen[m_count] = additions;
      m_count += 1;
    }
  }
  for (uint32_t word = m_count; word < k_least_words; ++word) {
    m_words[word] = &k_nobodys;
    m_seen[word] = k_nobodys;
  }
}

void LoaderWatch::read(uint64_t* values) const {
  for (uint32_t i = 0; i < m_count; ++i) {
    values[i] = __atomic_load_n(m_words[i], __ATOMIC_ACQUIRE);
  }
}

void LoaderWatch::accept(const uint64_t* values) {
  for (uint32_t i = 0; i < m_count; ++i) {
    __atomic_store_n(&m_seen[i], values[i], __ATOMIC_RELEASE);
  }
}

void find_loader() {
  // What the loader counts is in this variable, somewhere: those of its words that hold the count now are watched. The
  // count itself is among them, so that nothing is missed; a word that is something else costs a needless look.
  constexpr size_t k_searched_words = 640;
  WantedSymbol symbols[] = {{"_dl_find_object"}, {"_rtld_global"}};
  find_next_definitions(symbols, 2);
  g_find_object = reinterpret_cast<FindObject>(symbols[0].address);
  if (symbols[1].address == nullptr) {
    return;
  }
  g_loader = symbols[1].object;
  WatchedData data{static_cast<const uint64_t*>(symbols[1].address), nullptr};
  const auto* const end = reinterpret_cast<const uint64_t*>(g_loader.end);
  data.end = data.begin + k_searched_words < end ? data.begin + k_searched_words : end;
  dl_iterate_phdr(begin_watch, &data);
}

LoaderAnswer ask_loader(uintptr_t address, LoaderObject& object) {
  if (g_find_object != nullptr) {
    FoundObject found;
    if (g_find_object(reinterpret_cast<void*>(address), &found) != 0) {
      return LoaderAnswer::none;
    }
    object.begin = reinterpret_cast<uintptr_t>(found.map_start);
    object.end = reinterpret_cast<uintptr_t>(found.map_end);
    object.base = found.map->l_addr;
    object.path = found.map->l_name;
    object.search_table = static_cast<const uint8_t*>(found.search_table);
    read_segments(object);
    return LoaderAnswer::found;
  }
  if (g_may_not_ask) {
    return LoaderAnswer::refused;
  }
  Question question{address, &object};
  __atomic_fetch_add(&g_asking, 1, __ATOMIC_RELAXED);
  const int found = dl_iterate_phdr(answer, &question);
  __atomic_fetch_sub(&g_asking, 1, __ATOMIC_RELAXED);
  return found != 0 ? LoaderAnswer::found : LoaderAnswer::none;
}

void note_fork_of_loader() {
  g_may_not_ask = g_may_not_ask || __atomic_load_n(&g_asking, __ATOMIC_RELAXED) != 0;
}

bool is_in_loader(uintptr_t address) {
  return g_loader.contains(reinterpret_cast<const void*>(address));
}

}  // namespace allocgate::hooks

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// What the dynamic loader says about loaded objects. glibc 2.35 and later can be asked without a lock
// (_dl_find_object); for others the list is gone through, which takes the loader's lock for a moment.
#pragma once

#include <link.h>
#include <stdint.h>

namespace allocgate::hooks {

/* One object as the loader has it. Its strings are the loader's, and valid while the object stays loaded. */
struct LoaderObject {
  uintptr_t begin = 0;
  uintptr_t end = 0;
  uintptr_t base = 0;
  const char* path = nullptr;  // empty for the program itself
  const uint8_t* search_table = nullptr;
  const ElfW(Phdr) * segments = nullptr;
  uint32_t segment_count = 0;
};

enum class LoaderAnswer : uint8_t { found, none, refused };

/* Finds what is needed to ask. Once an image, by its first thread. */
void find_loader();

/* The object that has the address. */
LoaderAnswer ask_loader(uintptr_t address, LoaderObject& object);

/* Notices that an object was loaded, however it was done: by dlopen, or inside of the libc. Of a loader whose counters
 * are not found (musl's, which unloads nothing) it notices nothing. */
class LoaderWatch {
public:
  /* Cheap: some loads and comparisons. Two words are looked at in any case. */
  [[gnu::always_inline]] bool has_changed() const {
    bool has = is_changed(0) || is_changed(1);
    for (uint32_t i = k_least_words; __builtin_expect(i < m_count, 0) && !has; ++i) {
      has = is_changed(i);
    }
    return has;
  }

  /* To be called before the modules are looked at anew, with the values that they are then right for. */
  void read(uint64_t* values) const;
  void accept(const uint64_t* values);

  /* Watches the words of the loader's data that now hold `additions`, its count of loaded objects. */
  void watch(const uint64_t* begin, const uint64_t* end, uint64_t additions);

  static constexpr uint32_t k_most_words = 16;

private:
  static constexpr uint32_t k_least_words = 2;
  static constexpr uint64_t k_nobodys = 0;

  [[gnu::always_inline]] bool is_changed(uint32_t word) const {
    return __atomic_load_n(m_words[word], __ATOMIC_RELAXED) != __atomic_load_n(&m_seen[word], __ATOMIC_RELAXED);
  }

  uint32_t m_count = 0;
  const uint64_t* m_words[k_most_words] = {&k_nobodys, &k_nobodys};
  uint64_t m_seen[k_most_words] = {};
};
extern LoaderWatch g_loader_watch __attribute__((visibility("hidden")));

/* To be called in a forked child. Where asking takes a lock that a thread of the parent may have held, nobody asks any
 * more. */
void note_fork_of_loader();

/* Whether the address is in the loader's own code, which begins a program without an unwind table. */
bool is_in_loader(uintptr_t address);

}  // namespace allocgate::hooks

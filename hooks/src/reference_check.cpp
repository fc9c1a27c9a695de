// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "reference_check.hpp"

#include <allocgate/hook_record.h>

#include "loaded_object.hpp"
#include "next_functions.hpp"

namespace allocgate::hooks {
namespace {

constexpr const char* k_functions[] = {
#define ALLOCGATE_HOOK_REQUIRED(name, result, parameters, arguments) #name,
#define ALLOCGATE_HOOK_OPTIONAL(name, result, parameters, arguments) #name,
#include "hooked_functions.def"
};
constexpr const char* k_operators[] = {
#define ALLOCGATE_HOOK_NEW(name, parameters, arguments) #name,
#define ALLOCGATE_HOOK_DELETE(name, parameters, arguments) #name,
#include "hooked_functions.def"
};

// A C++ library defines this beside its operators; an operator new without it is somebody's replacement.
constexpr char k_of_cxx_library[] = "_ZSt15get_new_handlerv";

// A wrapper keeps what it forwards to in a few variables; the arenas of an allocator are not searched to their ends.
constexpr size_t k_searched_bytes = 1 << 20;

struct LoaderCounts {
  unsigned long long added = 0;
  unsigned long long removed = 0;

  bool operator==(const LoaderCounts&) const = default;
};

LoaderCounts g_checked;
bool g_was_checked = false;
bool g_may_change_by_itself = false;

bool equal(const char* left, const char* right) {
  while (*left != '\0' && *left == *right) {
    ++left;
    ++right;
  }
  return *left == *right;
}

bool is_hooked_function(const char* name) {
  for (const char* function : k_functions) {
    if (equal(name, function)) {
      return true;
    }
  }
  return false;
}

/* Where this library's own definitions are: its own references to them may lead to somebody before it. */
struct OwnDefinitions {
  const void* addresses[sizeof(k_functions) / sizeof(*k_functions)];
};

int find_own_definitions(dl_phdr_info* info, size_t, void* argument) {
  const LoadedObject object(*info);
  if (!is_this_library(object)) {
    return 0;
  }
  const void** address = static_cast<OwnDefinitions*>(argument)->addresses;
  for (const char* function : k_functions) {
    *address++ = object.definition(function);
  }
  return 1;
}

/* Whether a variable of the object holds the address: what dlsym(RTLD_NEXT) gave it, or a slot of the loader's. */
bool holds_address(const dl_phdr_info& info, const void* address) {
  for (ElfW(Half) i = 0; i < info.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = info.dlpi_phdr[i];
    if (segment.p_type != PT_LOAD || (segment.p_flags & (PF_R | PF_W)) != (PF_R | PF_W)) {
      continue;
    }
    const uintptr_t begin = (info.dlpi_addr + segment.p_vaddr + sizeof(void*) - 1) & ~(sizeof(void*) - 1);
    const size_t bytes = segment.p_memsz < k_searched_bytes ? segment.p_memsz : k_searched_bytes;
    const auto* words = reinterpret_cast<const void* const*>(begin);
    for (size_t word = 0; word + 1 < bytes / sizeof(void*); ++word) {
      if (__atomic_load_n(words + word, __ATOMIC_RELAXED) == address) {
        return true;
      }
    }
  }
  return false;
}

bool defines_operator(const LoadedObject& object) {
  for (const char* name : k_operators) {
    if (object.definition(name) != nullptr) {
      return true;
    }
  }
  return false;
}

struct Check {
  OwnDefinitions ours;
  UncountedCalls found;
  bool passed_us = false;
  bool operator_was_found = false;
  bool has_wrapper = false;

  /* The first object of the most serious kind is the one that is named. */
  void report(uint32_t flag, const char* object) {
    const bool is_first = found.object == nullptr;
    const bool is_more_serious = flag == ALLOCGATE_PROCESS_SHADOWED && (found.flags & flag) == 0;
    if (is_first || is_more_serious) {
      found.object = object;
    }
    if (flag == ALLOCGATE_PROCESS_SHADOWED) {
      found.may_forward = !passed_us;
    }
    found.flags |= flag;
  }
};

/* Whether the object looks up functions by name, as wrappers do for each when it is first called. */
bool looks_up_names(const LoadedObject& object) {
  bool found = false;
  object.for_each_reference([&](const ElfW(Sym) & symbol, const void*) {
    const char* name = object.name_of(symbol);
    found = found || equal(name, "dlsym") || equal(name, "dlvsym");
  });
  return found;
}

/* Whether calls of hooked functions that end in this object, which comes before us, go on to us. */
bool forwards_to_us(const dl_phdr_info& info, const LoadedObject& object, const OwnDefinitions& ours) {
  bool all = true;
  bool any = false;
  for (size_t i = 0; i < sizeof(k_functions) / sizeof(*k_functions); ++i) {
    if (object.definition(k_functions[i]) != nullptr) {
      const bool is_held = holds_address(info, ours.addresses[i]);
      all = all && is_held;
      any = any || is_held;
    }
  }
  return all || (any && looks_up_names(object));
}

struct Definer {
  const void* address;
  const char* name;
  const OwnDefinitions& ours;
  bool is_blind = false; /* the object that the address lies in defines the name, and does not forward to us */
};

int visit_definer(dl_phdr_info* info, size_t, void* argument) {
  Definer& definer = *static_cast<Definer*>(argument);
  const LoadedObject object(*info);
  if (!object.range().contains(definer.address)) {
    return 0;
  }
  definer.is_blind = object.definition(definer.name) != nullptr && !forwards_to_us(*info, object, definer.ours);
  return 1;
}

bool defines_function(const LoadedObject& object) {
  for (const char* name : k_functions) {
    if (object.definition(name) != nullptr) {
      return true;
    }
  }
  return false;
}

bool leads_past_us(const LoadedObject& object, const char* name, const void* value, const OwnDefinitions& ours) {
  if (!is_hooked_function(name)) {
    return false;
  }
  if (object.range().contains(value)) {
    return value == object.definition(name);
  }
  Definer definer{value, name, ours};
  dl_iterate_phdr(visit_definer, &definer);
  return definer.is_blind;
}

/* Whether a call of a hooked function leads to another definition. A slot that is not bound yet lies in the object's
 * own table, and so does the address that a program linked to a fixed place gives a function: those are right. */
bool passes_us_by(const LoadedObject& object, const OwnDefinitions& ours) {
  const bool may_call_itself = defines_function(object);
  bool found = false;
  object.for_each_reference([&](const ElfW(Sym) & symbol, const void* value) {
    const bool is_own = object.range().contains(value);
    if (found || value == nullptr || (is_own && !may_call_itself) || is_in_this_library(value)) {
      return;
    }
    found = leads_past_us(object, object.name_of(symbol), value, ours);
  });
  return found;
}

void check_object_before_us(Check& check, const dl_phdr_info& info, const LoadedObject& object) {
  if (defines_function(object)) {
    check.has_wrapper = true;
    if (!forwards_to_us(info, object, check.ours)) {
      check.report(ALLOCGATE_PROCESS_SHADOWED, info.dlpi_name);
    }
  }
}

/* The allocator below us calls itself as it likes: its requests came by us. */
bool is_allocator(const LoadedObject& object) {
  return object.range() == g_next_objects.malloc;
}

void check_operators(Check& check, const dl_phdr_info& info, const LoadedObject& object) {
  if (check.operator_was_found || !defines_operator(object)) {
    return;
  }
  check.operator_was_found = true;
  if (!is_allocator(object) && object.definition(k_of_cxx_library) == nullptr) {
    check.report(ALLOCGATE_PROCESS_OWN_NEW, info.dlpi_name);
  }
}

/* r_debug of a loader that lists its namespaces (glibc 2.35 and later). */
struct ListedNamespace {
  r_debug debug;
  const ListedNamespace* next;
};

void check_namespaces(Check& check, const r_debug* debug) {
  constexpr int k_version_with_list = 2;
  if (debug == nullptr || debug->r_version < k_version_with_list) {
    return;
  }
  const auto* ours = reinterpret_cast<const ListedNamespace*>(debug);
  for (const ListedNamespace* other = ours->next; other != nullptr; other = other->next) {
    bool has_libc = false;
    bool is_auditor = false;
    for (const link_map* object = other->debug.r_map; object != nullptr; object = object->l_next) {
      const LoadedObject loaded(object->l_addr, object->l_ld);
      has_libc = has_libc || loaded.definition("malloc") != nullptr;
      is_auditor = is_auditor || loaded.definition("la_version") != nullptr;
    }
    // What watches a program through LD_AUDIT is no part of it.
    if (has_libc && !is_auditor) {
      check.report(ALLOCGATE_PROCESS_OTHER_NAMESPACE, other->debug.r_map->l_name);
    }
  }
}

int check_object(dl_phdr_info* info, size_t, void* argument) {
  Check& check = *static_cast<Check*>(argument);
  const LoadedObject object(*info);
  check_namespaces(check, object.debug());
  if (is_this_library(object)) {
    check.passed_us = true;
    return 0;
  }
  check_operators(check, *info, object);
  if (!check.passed_us) {
    check_object_before_us(check, *info, object);
  } else if (!is_allocator(object) && passes_us_by(object, check.ours)) {
    check.report(ALLOCGATE_PROCESS_SHADOWED, info->dlpi_name);
  }
  return 0;
}

int read_counts(dl_phdr_info* info, size_t size, void* argument) {
  if (size >= offsetof(dl_phdr_info, dlpi_subs) + sizeof(info->dlpi_subs)) {
    *static_cast<LoaderCounts*>(argument) = {info->dlpi_adds, info->dlpi_subs};
  }
  return 1;
}

LoaderCounts loader_counts() {
  LoaderCounts counts;
  dl_iterate_phdr(read_counts, &counts);
  return counts;
}

}  // namespace

bool references_may_have_changed() {
  return !g_was_checked || g_may_change_by_itself || loader_counts() != g_checked;
}

UncountedCalls check_references() {
  const LoaderCounts counts = loader_counts();
  Check check = {};
  dl_iterate_phdr(find_own_definitions, &check.ours);
  dl_iterate_phdr(check_object, &check);
  // What was opened later may be bound call by call, and a wrapper may look for us when it is first called.
  g_may_change_by_itself = check.has_wrapper || g_was_checked;
  g_was_checked = true;
  g_checked = counts;
  return check.found;
}

}  // namespace allocgate::hooks

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbol_search.hpp"

#include "loaded_object.hpp"

namespace allocgate::hooks {
namespace {

struct Search {
  WantedSymbol* symbols;
  size_t count;
  bool passed_us = false;
};

int visit_object(dl_phdr_info* info, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const LoadedObject object(*info);
  if (is_this_library(object)) {
    search.passed_us = true;
    return 0;
  }
  if (!search.passed_us) {
    return 0;
  }
  for (size_t i = 0; i < search.count; ++i) {
    WantedSymbol& symbol = search.symbols[i];
    if (symbol.address == nullptr) {
      symbol.address = object.find(symbol.name);
      symbol.object = object.range();
    }
  }
  return 0;
}

}  // namespace

void find_next_definitions(WantedSymbol* symbols, size_t count) {
  Search search{symbols, count};
  dl_iterate_phdr(visit_object, &search);
}

}  // namespace allocgate::hooks

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
// What libstdc++ does at start-up and nothing else: 1 allocation of 72,704 bytes with GCC 12.
#include <string>

std::string g_keeps_the_library_loaded;

int main() {
  return g_keeps_the_library_loaded.empty() ? 0 : 1;
}

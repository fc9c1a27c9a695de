// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Part of a hooks library of the tests' own: compares each stack that is walked with libunwind's, frame by frame, and
// says at the end how many differ, on one line of standard error. Where libunwind gives up earlier is counted apart.
#define UNW_LOCAL_ONLY
#include <libunwind.h>

#include "stacks/private_memory.hpp"
#include "stacks/stack_recorder.hpp"
#include "text_writer.hpp"

namespace allocgate::hooks {
namespace {

constexpr int k_most_frames = 1 << 17;
constexpr uint64_t k_shown = 5;

uint64_t g_stacks = 0;
uint64_t g_frames = 0;
uint64_t g_deepest = 0;
uint64_t g_different = 0;
uint64_t g_shorter = 0;
uint64_t g_longer = 0;

thread_local void** t_addresses = nullptr;

uint64_t count(uint64_t& counter, uint64_t value = 1) {
  return __atomic_fetch_add(&counter, value, __ATOMIC_RELAXED);
}

void raise_deepest(uint64_t depth) {
  uint64_t deepest = __atomic_load_n(&g_deepest, __ATOMIC_RELAXED);
  while (depth > deepest &&
         !__atomic_compare_exchange_n(&g_deepest, &deepest, depth, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
}

void show(const char* what, const RememberedStack& stack, uint32_t at, uint32_t theirs) {
  TextWriter text(2);
  text << what << " at frame " << uint64_t{at} << " of " << uint64_t{stack.size()} << ", libunwind has "
       << uint64_t{theirs} << "; the frame before returns to " << uint64_t{at == 0 ? 0 : stack.return_address(at - 1)}
       << '\n';
}

}  // namespace

void observe_stack(const RememberedStack& stack) {
  if (t_addresses == nullptr) {
    t_addresses = take_memory<void*>(k_most_frames);
  }
  if (t_addresses == nullptr || stack.size() == 0) {
    count(g_different);
    return;
  }
  const auto found = static_cast<uint32_t>(unw_backtrace(t_addresses, k_most_frames));
  const auto theirs = [](uint32_t index) { return reinterpret_cast<uintptr_t>(t_addresses[index]); };
  uint32_t own_frames = 0;  // of the hooks
  while (own_frames < found && theirs(own_frames) != stack.return_address(0)) {
    ++own_frames;
  }
  const uint32_t expected = found - own_frames;
  uint32_t same = 0;
  while (same < expected && same < stack.size() && theirs(own_frames + same) == stack.return_address(same)) {
    ++same;
  }
  count(g_stacks);
  count(g_frames, stack.size());
  raise_deepest(stack.size());
  if (same == expected && same == stack.size()) {
    return;
  }
  const bool is_longer = same == expected && expected != 0;
  const bool is_shorter = same == stack.size();
  const uint64_t before = count(is_longer ? g_longer : is_shorter ? g_shorter : g_different);
  if (before < k_shown) {
    show(is_longer ? "longer" : is_shorter ? "shorter" : "different", stack, same, expected);
  }
}

[[gnu::destructor]] static void say() {
  TextWriter text(2);
  text << "observed stacks=" << g_stacks << " frames=" << g_frames << " deepest=" << g_deepest
       << " different=" << g_different << " shorter=" << g_shorter << " longer=" << g_longer << '\n';
}

}  // namespace allocgate::hooks

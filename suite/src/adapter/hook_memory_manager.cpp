// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/hook_memory_manager.hpp"

#include "adapter/google_benchmark_versions.hpp"
#include "adapter/loop_meter.hpp"

#include <allocgate/hooks.h>

#include <algorithm>
#include <cstdint>

namespace allocgate {

namespace {

struct Sum {
  std::int64_t num_allocs = 0;
  std::int64_t max_bytes_used = 0;
  std::int64_t total_allocated_bytes = 0;
  std::int64_t net_heap_growth = 0;
};
Sum g_sum;  // of the windows since Start; the meter's sink has no other place

// google-benchmark runs a case once more between Start and Stop; only the loop in it is the case's own.
class HookMemoryManager : public AnyMemoryManager {
public:
  explicit HookMemoryManager(const allocgate_hooks_table& hooks) : m_hooks(hooks) {}

  void Start() override {
    g_sum = {};
    loop_meter().start(m_hooks, [](const allocgate_window_entry& window) {
      g_sum.num_allocs += static_cast<std::int64_t>(window.allocations);
      g_sum.max_bytes_used = std::max(g_sum.max_bytes_used, window.peak_live_bytes);
      g_sum.total_allocated_bytes += static_cast<std::int64_t>(window.allocated_bytes);
      g_sum.net_heap_growth += window.live_bytes;
    });
  }

protected:
  void fill(Result& result) override {
    loop_meter().abandon_loops();
    loop_meter().stop();
    result.num_allocs = g_sum.num_allocs;
    result.total_allocated_bytes = g_sum.total_allocated_bytes;
    if (m_hooks.level >= ALLOCGATE_LEVEL_USABLE) {
      result.max_bytes_used = g_sum.max_bytes_used;
      result.net_heap_growth = g_sum.net_heap_growth;
    }
  }

private:
  const allocgate_hooks_table& m_hooks;
};

}  // namespace

void register_hook_memory_manager() {
  static const bool registered = [] {
    const allocgate_hooks_table* hooks = allocgate_hooks();
    if (hooks == nullptr) {
      return false;
    }
    static HookMemoryManager manager(*hooks);
    benchmark::RegisterMemoryManager(&manager);
    return true;
  }();
  static_cast<void>(registered);
}

}  // namespace allocgate

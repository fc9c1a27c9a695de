// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/perf_events.hpp"

#include "process/descriptor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace allocgate {
namespace {

struct NamedEvent {
  std::string_view name;
  PerfEvent event;
};

constexpr auto k_events = std::to_array<NamedEvent>({
#define ALLOCGATE_PERF_EVENT(name, type, config, user_only) {name, {type, config, user_only}},
#include "process/perf_events.def"
});

constexpr int k_hexadecimal = 16;

std::string paranoid_level() {
  std::ifstream file("/proc/sys/kernel/perf_event_paranoid");
  std::string level;
  file >> level;
  return level.empty() ? "unknown" : level;
}

}  // namespace

std::optional<PerfEvent> perf_event_named(std::string_view name) {
  const auto found =
      std::find_if(k_events.begin(), k_events.end(), [name](const NamedEvent& known) { return known.name == name; });
  if (found != k_events.end()) {
    return found->event;
  }
  PerfEvent raw{PERF_TYPE_RAW, 0, true};
  if (!name.starts_with('r') || name.size() < 2) {
    return std::nullopt;
  }
  const std::from_chars_result end =
      std::from_chars(name.data() + 1, name.data() + name.size(), raw.config, k_hexadecimal);
  return end.ec == std::errc{} && end.ptr == name.data() + name.size() ? std::optional(raw) : std::nullopt;
}

std::vector<std::string> perf_event_names() {
  std::vector<std::string> names;
  for (const NamedEvent& known : k_events) {
    names.emplace_back(known.name);
  }
  return names;
}

std::optional<std::string> refusal_of_perf_event(const PerfEvent& event, std::string_view name) {
  const Descriptor opened(open_perf_event(event));
  if (opened.is_open()) {
    return std::nullopt;
  }
  switch (errno) {
    case ENOENT:
    case EOPNOTSUPP:
    case ENODEV:
      return fmt::format(
          "{} is not counted: this machine has no such counter (virtual machines often have none of the processor's)",
          name);
    case EACCES:
    case EPERM:
      return fmt::format(
          "{} is not counted: the kernel does not allow it here (kernel.perf_event_paranoid is {}; a "
          "container may refuse it too)",
          name, paranoid_level());
    case ENOSYS:
      return fmt::format("{} is not counted: this kernel, or a sandbox around us, has no perf_event_open", name);
    default:
      return fmt::format("{} is not counted: perf_event_open says: {}", name, std::strerror(errno));
  }
}

int open_perf_event(const PerfEvent& event) {
  perf_event_attr attributes;
  std::memset(&attributes, 0, sizeof attributes);
  attributes.size = sizeof attributes;
  attributes.type = event.type;
  attributes.config = event.config;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  // Off in the caller, which never calls exec; a fork inherits it and begins to count at its exec.
  attributes.disabled = 1;
  attributes.inherit = 1;
  attributes.enable_on_exec = 1;
  attributes.exclude_kernel = event.user_only ? 1 : 0;
  attributes.exclude_hv = event.user_only ? 1 : 0;
  constexpr int k_this_thread = 0;
  constexpr int k_any_processor = -1;
  constexpr int k_no_group = -1;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, k_this_thread, k_any_processor, k_no_group,
                                    static_cast<unsigned long>(PERF_FLAG_FD_CLOEXEC)));
}

PerfCount read_perf_event(int descriptor) {
  std::array<std::uint64_t, 3> values{};
  if (::read(descriptor, values.data(), sizeof values) != static_cast<ssize_t>(sizeof values)) {
    return {};
  }
  return {values[0], values[1], values[2]};
}

}  // namespace allocgate

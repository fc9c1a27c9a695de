// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/interrupt.hpp"

#include "base/error.hpp"
#include "base/file.hpp"

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>

#include <sys/eventfd.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

constexpr std::array k_signals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<int> g_signal{0};
std::atomic<unsigned> g_times{0};
std::atomic<bool> g_from_terminal{false};
std::atomic<int> g_descriptor{-1};
std::atomic<bool> g_ends_now{false};
int g_scopes = 0;
std::array<struct sigaction, k_signals.size()> g_previous;

static_assert(std::atomic<int>::is_always_lock_free, "the handler may only touch lock-free state");

/// In a handler: async-signal-safe calls only.
[[noreturn]] void end_now(int signal) {
  remove_unfinished_file();
  constexpr const char* k_before = "allocgate: interrupted by SIG";
  for (const char* text : {k_before, ::sigabbrev_np(signal), "\n"}) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
  }
  ::_exit(static_cast<int>(ExitCode::interrupted));
}

void on_signal(int signal, siginfo_t* info, void* /*context*/) {
  if (g_ends_now) {
    end_now(signal);
  }
  const int saved_errno = errno;
  g_signal = signal;
  g_from_terminal = info != nullptr && info->si_code == SI_KERNEL;
  ++g_times;
  const std::uint64_t one = 1;
  // Nothing can be done in a handler if this fails; the pollers also wake by their own timeouts.
  [[maybe_unused]] const auto written = ::write(g_descriptor, &one, sizeof one);
  errno = saved_errno;
}

void forget() {
  std::uint64_t ignored = 0;
  [[maybe_unused]] const auto drained = ::read(g_descriptor, &ignored, sizeof ignored);
  g_signal = 0;
  g_times = 0;
  g_from_terminal = false;
}

}  // namespace

InterruptScope::InterruptScope(Means means) : m_ended_now_before(g_ends_now) {
  const bool ends_now = means == Means::end_now;
  if (g_scopes > 0) {
    if (ends_now) {
      throw_if_interrupted();
    }
    ++g_scopes;
    g_ends_now = ends_now;
    return;
  }
  ++g_scopes;
  if (g_descriptor < 0) {
    const int created = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (created < 0) {
      --g_scopes;
      throw Error(ExitCode::internal_error, fmt::format("cannot watch for signals: {}", std::strerror(errno)));
    }
    g_descriptor = created;
  }
  forget();
  g_ends_now = ends_now;
  for (std::size_t index = 0; index < k_signals.size(); ++index) {
    ::sigaction(k_signals[index], nullptr, &g_previous[index]);
    if ((g_previous[index].sa_flags & SA_SIGINFO) == 0 && g_previous[index].sa_handler == SIG_IGN) {
      continue;
    }
    struct sigaction action {};
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(k_signals[index], &action, nullptr);
  }
}

InterruptScope::~InterruptScope() {
  g_ends_now = m_ended_now_before;
  if (--g_scopes > 0) {
    return;
  }
  for (std::size_t index = 0; index < k_signals.size(); ++index) {
    ::sigaction(k_signals[index], &g_previous[index], nullptr);
  }
}

std::optional<Interrupt> interrupt_received() {
  const unsigned times = g_times;
  if (times == 0) {
    return std::nullopt;
  }
  return Interrupt{g_signal, times, g_from_terminal};
}

void forget_interrupts() {
  forget();
}

int interrupt_descriptor() {
  return g_descriptor;
}

void throw_if_interrupted() {
  if (const auto interrupt = interrupt_received()) {
    throw Error(ExitCode::interrupted,
                fmt::format("interrupted by SIG{}; the measured programs were ended and no result was written",
                            ::sigabbrev_np(interrupt->signal)));
  }
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>

// Signals that ask the runner to end: SIGINT, SIGTERM, SIGHUP.
namespace allocgate {

/// While one exists, such a signal is either remembered, so that measured programs are ended and records removed before
/// the runner ends, or ends the runner at once with 130: where there is nothing to clean up but an unfinished file of
/// base/file.hpp, and where waiting for a slow reader or writer would never end. The innermost scope decides. A signal
/// that was ignored stays ignored. Scopes may nest; they are made and destroyed on one thread at a time. The outermost
/// one begins with nothing remembered.
class InterruptScope {
public:
  enum class Means { remember, end_now };

  /// Throws Error (130) for end_now where a signal is remembered already.
  explicit InterruptScope(Means means = Means::remember);
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();

private:
  bool m_ended_now_before;
};

/// What arrived since the outermost scope began.
struct Interrupt {
  int signal = 0;              // the latest
  unsigned times = 0;          // how many arrived
  bool from_terminal = false;  // a key press: the foreground process group has it too
};

/// Nothing while no signal arrived. Any thread.
std::optional<Interrupt> interrupt_received();

/// Becomes readable, and stays so, once a signal arrived: for poll(). Owned by this unit. Any thread.
int interrupt_descriptor();

/// What arrived is settled: it was meant for a program in the foreground, which ended as it liked. Any thread.
void forget_interrupts();

/// Throws Error (130) if a signal arrived. Any thread.
void throw_if_interrupted();

}  // namespace allocgate

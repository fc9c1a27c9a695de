// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>

// Signals that ask the runner to end: SIGINT, SIGTERM, SIGHUP.
namespace allocgate {

/// While one exists, such a signal does not end the runner but is remembered, so that measured programs are ended and
/// records removed before it ends. A signal that was ignored stays ignored. Scopes may nest; they are made and
/// destroyed on one thread at a time. The outermost one begins with nothing remembered.
class InterruptScope {
public:
  InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;
  ~InterruptScope();
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

/// Throws Error (130) if a signal arrived. Any thread.
void throw_if_interrupted();

}  // namespace allocgate

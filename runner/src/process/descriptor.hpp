// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <utility>

namespace allocgate {

/// Owns one file descriptor, or none. Moves, does not copy. One thread.
class Descriptor {
public:
  Descriptor() = default;
  explicit Descriptor(int fd) : m_fd(fd) {}
  Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, k_none)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const { return m_fd; }
  [[nodiscard]] bool is_open() const { return m_fd != k_none; }
  void reset();

private:
  static constexpr int k_none = -1;
  int m_fd = k_none;
};

/// Both ends of a pipe, closed on exec, never descriptors 0 to 2. Throws Error (1) when the system has none left.
struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};
Pipe make_pipe();

/// The same over a socket, so that writing to an end whose reader is gone can be told not to raise SIGPIPE.
Pipe make_socket_pipe();

/// `descriptor` itself, or a copy of it above 2, closed on exec: a child's standard streams can then be put in place
/// without overwriting it. Throws Error (1).
Descriptor above_standard_streams(Descriptor descriptor);

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/descriptor.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace allocgate {

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    reset();
    m_fd = std::exchange(other.m_fd, k_none);
  }
  return *this;
}

void Descriptor::reset() {
  if (is_open()) {
    ::close(std::exchange(m_fd, k_none));
  }
}

Descriptor above_standard_streams(Descriptor descriptor) {
  if (descriptor.get() > STDERR_FILENO) {
    return descriptor;
  }
  const int copy = ::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (copy < 0) {
    throw Error(ExitCode::internal_error, fmt::format("cannot copy a file descriptor: {}", std::strerror(errno)));
  }
  return Descriptor(copy);
}

namespace {

Pipe pipe_of(const int (&ends)[2], bool made) {
  if (!made) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot make a pipe to the measured program: {}; close some files or raise `ulimit -n`",
                            std::strerror(errno)));
  }
  Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  return {above_standard_streams(std::move(read_end)), above_standard_streams(std::move(write_end))};
}

}  // namespace

Pipe make_pipe() {
  int ends[2];
  const bool made = ::pipe2(ends, O_CLOEXEC) == 0;
  return pipe_of(ends, made);
}

Pipe make_socket_pipe() {
  int ends[2];
  const bool made = ::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) == 0;
  return pipe_of(ends, made);
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// SSH with client and server of libssh in one thread, over a socket pair: no sshd, no files.
//
// libssh/100_commands_1_conn: 100 small commands over one connection that was made before the window; it models a tool
// that manages a machine. A command is a channel on either side with its buffers, the packets that open, use and close
// it, and what it writes.
// libssh/stream_1_mib: one command whose answer of 1 MiB comes in 1024 pieces of 1 KiB, each read before the next: two
// allocations a piece.
// libssh/1_command_10_conns: a connection, a login and one command, ten times.
//
// counts per iteration of libssh/100_commands_1_conn: 3 600 allocations, 166 900 bytes (libssh 0.10.6)
// counts per iteration of libssh/stream_1_mib: 2 084 allocations, 2 126 468 bytes (libssh 0.10.6)
// counts per iteration of libssh/1_command_10_conns: 9 830 to 9 840 allocations (libssh 0.10.6)
// not exact: the shared secret of each key exchange is random, and one byte longer when its first bit is set

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"
#include "workloads/libssh/ssh_pair.hpp"

#include <allocgate/benchmark.hpp>

#include <string>

namespace {

using namespace allocgate::suite;

constexpr std::size_t k_hello_size = 5;
constexpr std::size_t k_stream_size = 1048576;

allocgate::WorkloadDescription libssh_row(std::string exercises) {
  return exact("libssh", package_version({"libssh-4", "libssh-gcrypt-4"}, ssh_version(0)), std::move(exercises));
}

void many_commands(benchmark::State& state) {
  constexpr unsigned k_commands = 100;
  SshPair pair;
  if (!pair.connected()) {
    state.SkipWithError("client and server did not connect");
  }
  measure_after_first_use(state, [&]() -> const char* {
    for (unsigned command = 0; command < k_commands; ++command) {
      if (pair.run("hello") != k_hello_size) {
        return "a command did not answer";
      }
    }
    return nullptr;
  });
}

void stream(benchmark::State& state) {
  const std::string command = "stream " + std::to_string(k_stream_size);
  SshPair pair;
  if (!pair.connected()) {
    state.SkipWithError("client and server did not connect");
  }
  measure_after_first_use(state, [&]() -> const char* {
    return pair.run(command.c_str()) == k_stream_size ? nullptr : "bytes are missing";
  });
}

void many_connections(benchmark::State& state) {
  constexpr unsigned k_connections = 10;
  measure_after_first_use(state, []() -> const char* {
    for (unsigned connection = 0; connection < k_connections; ++connection) {
      SshPair pair;
      if (!pair.connected() || pair.run("hello") != k_hello_size) {
        return "a command did not answer";
      }
    }
    return nullptr;
  });
}

ALLOCGATE_WORKLOAD(many_commands, "libssh/100_commands_1_conn",
                   (libssh_row("SSH: 100 small commands over one connection")));
ALLOCGATE_WORKLOAD(stream, "libssh/stream_1_mib", (libssh_row("SSH: an answer of 1 MiB in pieces of 1 KiB")));
ALLOCGATE_WORKLOAD(many_connections, "libssh/1_command_10_conns",
                   (within_percent(libssh_row("SSH: ten connections, one command on each"))));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// SSH with a client of libssh2 against the server of libssh, in one thread over a socket pair: no sshd, no files.
//
// libssh2/100_commands_1_conn: 100 small commands over one connection that was made before the window, as
// libssh/100_commands_1_conn with its own client. libssh2 agrees on AES-CTR with an HMAC, where libssh takes AES-GCM,
// and an HMAC of OpenSSL 3 is made anew for every packet on either side: that is why it is so many more.
//
// counts per iteration of libssh2/100_commands_1_conn: 56 400 allocations, 13 596 000 bytes (libssh2 1.10.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"
#include "workloads/libssh/ssh_server.hpp"

#include <allocgate/benchmark.hpp>

#include <libssh2.h>
#include <unistd.h>

#include <array>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_commands = 100;
constexpr std::size_t k_hello_size = 5;

// A client that never waits, and the server that works whenever the client would.
class Client {
public:
  Client() : m_ends(make_ssh_sockets()) {
    if (m_ends[0] < 0) {
      return;
    }
    m_server.emplace(m_ends[0]);
    m_session = libssh2_session_init();
    libssh2_session_set_blocking(m_session, 0);
    m_connected = until_done([this] { return libssh2_session_handshake(m_session, m_ends[1]); }) == 0 &&
                  until_done([this] {
                    return libssh2_userauth_password(m_session, static_cast<const char*>(k_ssh_user),
                                                     static_cast<const char*>(k_ssh_password));
                  }) == 0;
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    if (m_session != nullptr) {
      until_done([this] { return libssh2_session_disconnect(m_session, "bye"); });
      until_done([this] { return libssh2_session_free(m_session); });
      close(m_ends[1]);
    }
  }

  [[nodiscard]] bool connected() const { return m_connected; }

  // Runs a command to the end of both sides and returns how many bytes it answered.
  std::size_t run(const char* command) {
    LIBSSH2_CHANNEL* channel = nullptr;
    until_done([&] {
      channel = libssh2_channel_open_session(m_session);
      return channel != nullptr ? 0 : libssh2_session_last_errno(m_session);
    });
    if (channel == nullptr) {
      return 0;
    }
    until_done([&] { return libssh2_channel_exec(channel, command); });
    std::array<char, SshServer::k_piece> data{};
    std::size_t received = 0;
    while (true) {
      const auto size = until_done([&] { return libssh2_channel_read(channel, data.data(), data.size()); });
      if (size <= 0) {
        break;
      }
      received += static_cast<std::size_t>(size);
    }
    until_done([&] { return libssh2_channel_close(channel); });
    until_done([&] { return libssh2_channel_wait_closed(channel); });
    until_done([&] { return libssh2_channel_free(channel); });
    while (m_server->has_open_channels()) {
      m_server->work();
    }
    return received;
  }

private:
  template <typename Step>
  std::invoke_result_t<Step> until_done(Step step) {
    auto result = step();
    for (; result == LIBSSH2_ERROR_EAGAIN; result = step()) {
      m_server->work();
    }
    return result;
  }

  std::array<int, 2> m_ends;
  std::optional<SshServer> m_server;
  LIBSSH2_SESSION* m_session = nullptr;
  bool m_connected = false;
};

void many_commands(benchmark::State& state) {
  libssh2_init(0);
  Client client;
  if (!client.connected()) {
    state.SkipWithError("client and server did not connect");
  }
  measure_after_first_use(state, [&]() -> const char* {
    for (unsigned command = 0; command < k_commands; ++command) {
      if (client.run("hello") != k_hello_size) {
        return "a command did not answer";
      }
    }
    return nullptr;
  });
}

// Counts that depend on both; each is a core of its own in the testbed.
allocgate::WorkloadDescription libssh2_row(std::string exercises) {
  allocgate::WorkloadDescription row =
      exact("libssh2", package_version({"libssh2-1", "libssh2-1t64"}, LIBSSH2_VERSION), std::move(exercises));
  row.depends_on = {"core.libssh"};
  return row;
}

ALLOCGATE_WORKLOAD(many_commands, "libssh2/100_commands_1_conn",
                   (libssh2_row("SSH: 100 small commands over one connection, libssh2's client at libssh's server")));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace allocgate::suite {

/// The only login that the server takes.
inline constexpr char k_ssh_user[] = "user";
inline constexpr char k_ssh_password[] = "password";

/// The key of every server here; made at the first call.
ssh_key host_key();

/// Both ends of a new socket pair, neither of which waits. Negative descriptors when there is none.
std::array<int, 2> make_ssh_sockets();

/// A server of libssh that never waits, for a client in the same thread. Nothing is read from files. What a command
/// answers is chosen by its name: "hello", or "stream BYTES" for as many in pieces of k_piece.
class SshServer {
public:
  static constexpr std::size_t k_piece = 1024;

  /// Takes over `descriptor`.
  explicit SshServer(int descriptor);
  SshServer(const SshServer&) = delete;
  SshServer& operator=(const SshServer&) = delete;
  ~SshServer();

  /// Does what it can without a wait.
  void work();
  [[nodiscard]] bool has_exchanged_keys() const { return m_keys_exchanged; }
  /// Whether it keeps a channel that neither end has closed and released.
  [[nodiscard]] bool has_open_channels() const { return !m_open.empty(); }
  [[nodiscard]] unsigned commands() const { return m_commands; }

private:
  void set_callbacks();
  int answer(ssh_channel channel, const std::string& command);
  void write_more();
  void release_closed();

  ssh_bind m_bind = nullptr;
  ssh_session m_session = nullptr;
  ssh_event m_event = nullptr;
  ssh_server_callbacks_struct m_server_callbacks = {};
  ssh_channel_callbacks_struct m_channel_callbacks = {};
  ssh_channel m_streaming = nullptr;
  std::size_t m_left_to_stream = 0;
  std::vector<ssh_channel> m_closed;
  std::vector<ssh_channel> m_open;
  bool m_keys_exchanged = false;
  unsigned m_commands = 0;
};

}  // namespace allocgate::suite

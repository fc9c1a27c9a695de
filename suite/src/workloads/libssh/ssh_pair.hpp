// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <libssh/callbacks.h>
#include <libssh/libssh.h>
#include <libssh/server.h>

#include <cstddef>
#include <string>
#include <vector>

namespace allocgate::suite {

/// The key of every server here; made at the first call.
ssh_key host_key();

/// A client and a server of libssh in one thread, over a socket pair. Nothing is read from files. What a command
/// answers is chosen by its name: "hello", or "stream BYTES" for as many in pieces of k_piece.
class SshPair {
public:
  static constexpr std::size_t k_piece = 1024;

  /// Connects and logs in; connected() says whether that went well.
  SshPair();
  SshPair(const SshPair&) = delete;
  SshPair& operator=(const SshPair&) = delete;
  ~SshPair();

  [[nodiscard]] bool connected() const { return m_connected; }
  /// Runs a command to its end and returns how many bytes it answered.
  std::size_t run(const char* command);
  [[nodiscard]] unsigned commands() const { return m_commands; }

private:
  void make_server(int descriptor);
  void make_client(int descriptor);
  bool connect();
  // Lets the server do what it can.
  void let_server_work();
  int answer(ssh_channel channel, const std::string& command);
  void write_more();
  void release_closed();

  ssh_bind m_bind = nullptr;
  ssh_session m_server = nullptr;
  ssh_session m_client = nullptr;
  ssh_event m_event = nullptr;
  ssh_server_callbacks_struct m_server_callbacks = {};
  ssh_channel_callbacks_struct m_channel_callbacks = {};
  ssh_channel m_streaming = nullptr;
  std::size_t m_left_to_stream = 0;
  std::vector<ssh_channel> m_closed;
  std::vector<ssh_channel> m_open;
  bool m_keys_exchanged = false;
  bool m_connected = false;
  unsigned m_commands = 0;
};

}  // namespace allocgate::suite

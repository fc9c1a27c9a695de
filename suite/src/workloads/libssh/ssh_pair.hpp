// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/libssh/ssh_server.hpp"

#include <array>
#include <cstddef>
#include <optional>

namespace allocgate::suite {

/// A client and a server of libssh in one thread, over a socket pair.
class SshPair {
public:
  /// Connects and logs in; connected() says whether that went well.
  SshPair();
  SshPair(const SshPair&) = delete;
  SshPair& operator=(const SshPair&) = delete;
  ~SshPair();

  [[nodiscard]] bool connected() const { return m_connected; }
  /// Runs a command to its end and returns how many bytes it answered.
  std::size_t run(const char* command);

private:
  void make_client(int descriptor);
  bool connect();

  std::array<int, 2> m_ends;
  std::optional<SshServer> m_server;
  ssh_session m_client = nullptr;
  bool m_connected = false;
};

}  // namespace allocgate::suite

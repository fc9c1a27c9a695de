// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "workloads/libssh/ssh_pair.hpp"

namespace allocgate::suite {

SshPair::SshPair() : m_ends(make_ssh_sockets()) {
  if (m_ends[0] < 0) {
    return;
  }
  m_server.emplace(m_ends[0]);
  make_client(m_ends[1]);
  m_connected = connect();
}

SshPair::~SshPair() {
  ssh_disconnect(m_client);
  ssh_free(m_client);
}

void SshPair::make_client(int descriptor) {
  const bool no = false;
  m_client = ssh_new();
  ssh_options_set(m_client, SSH_OPTIONS_HOST, "localhost");
  ssh_options_set(m_client, SSH_OPTIONS_USER, static_cast<const char*>(k_ssh_user));
  ssh_options_set(m_client, SSH_OPTIONS_FD, &descriptor);
  ssh_options_set(m_client, SSH_OPTIONS_PROCESS_CONFIG, &no);
  ssh_options_set(m_client, SSH_OPTIONS_SSH_DIR, "/nonexistent");
  ssh_options_set(m_client, SSH_OPTIONS_KNOWNHOSTS, "/dev/null");
  ssh_options_set(m_client, SSH_OPTIONS_GLOBAL_KNOWNHOSTS, "/dev/null");
  ssh_options_set(m_client, SSH_OPTIONS_KEY_EXCHANGE, "curve25519-sha256");
  ssh_options_set(m_client, SSH_OPTIONS_CIPHERS_C_S, "aes128-gcm@openssh.com");
  ssh_options_set(m_client, SSH_OPTIONS_CIPHERS_S_C, "aes128-gcm@openssh.com");
  ssh_set_blocking(m_client, 0);
}

bool SshPair::connect() {
  int state = ssh_connect(m_client);
  for (; state == SSH_AGAIN; state = ssh_connect(m_client)) {
    m_server->work();
  }
  if (state != SSH_OK) {
    return false;
  }
  while (!m_server->has_exchanged_keys()) {
    m_server->work();
  }
  int login = ssh_userauth_password(m_client, nullptr, static_cast<const char*>(k_ssh_password));
  for (; login == SSH_AUTH_AGAIN; login = ssh_userauth_password(m_client, nullptr, k_ssh_password)) {
    m_server->work();
  }
  return login == SSH_AUTH_SUCCESS;
}

std::size_t SshPair::run(const char* command) {
  ssh_channel channel = ssh_channel_new(m_client);
  while (ssh_channel_open_session(channel) == SSH_AGAIN) {
    m_server->work();
  }
  while (ssh_channel_request_exec(channel, command) == SSH_AGAIN) {
    m_server->work();
  }
  std::array<char, SshServer::k_piece> data{};
  std::size_t received = 0;
  while (true) {
    const int size = ssh_channel_read_nonblocking(channel, data.data(), data.size(), 0);
    if (size > 0) {
      received += static_cast<std::size_t>(size);
    } else if (ssh_channel_is_eof(channel) != 0 || size < 0) {
      break;
    } else {
      m_server->work();
    }
  }
  ssh_channel_close(channel);
  ssh_channel_free(channel);
  while (m_server->has_open_channels()) {
    m_server->work();
  }
  return received;
}

}  // namespace allocgate::suite

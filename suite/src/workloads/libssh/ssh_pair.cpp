// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "workloads/libssh/ssh_pair.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace allocgate::suite {

namespace {

constexpr char k_user[] = "user";
constexpr char k_password[] = "password";
constexpr char k_hello[] = "hello";
constexpr char k_stream[] = "stream ";

}  // namespace

ssh_key host_key() {
  static const ssh_key key = [] {
    ssh_key made = nullptr;
    ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &made);
    return made;
  }();
  return key;
}

SshPair::SshPair() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) {
    return;
  }
  for (const int end : ends) {
    fcntl(end, F_SETFL, O_NONBLOCK);
  }
  make_server(ends[0]);
  make_client(ends[1]);
  m_connected = connect();
}

SshPair::~SshPair() {
  ssh_disconnect(m_client);
  ssh_free(m_client);
  for (ssh_channel channel : m_open) {
    ssh_channel_free(channel);
  }
  if (m_keys_exchanged) {
    ssh_event_remove_session(m_event, m_server);
  }
  ssh_event_free(m_event);
  ssh_disconnect(m_server);
  ssh_free(m_server);
  ssh_bind_free(m_bind);
}

void SshPair::make_server(int descriptor) {
  const bool no = false;
  m_bind = ssh_bind_new();
  ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_IMPORT_KEY, ssh_key_dup(host_key()));
  ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
  m_server = ssh_new();
  ssh_bind_accept_fd(m_bind, m_server, descriptor);

  m_server_callbacks.userdata = this;
  m_server_callbacks.auth_password_function = [](ssh_session, const char* user, const char* password, void*) -> int {
    const bool right = std::strcmp(user, k_user) == 0 && std::strcmp(password, k_password) == 0;
    return right ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
  };
  m_server_callbacks.channel_open_request_session_function = [](ssh_session session, void* self) {
    auto& pair = *static_cast<SshPair*>(self);
    ssh_channel channel = ssh_channel_new(session);
    ssh_set_channel_callbacks(channel, &pair.m_channel_callbacks);
    pair.m_open.push_back(channel);
    return channel;
  };
  m_channel_callbacks.userdata = this;
  m_channel_callbacks.channel_exec_request_function = [](ssh_session, ssh_channel channel, const char* command,
                                                         void* self) {
    return static_cast<SshPair*>(self)->answer(channel, command);
  };
  // A channel may not be freed inside its own callback.
  m_channel_callbacks.channel_close_function = [](ssh_session, ssh_channel channel, void* self) {
    static_cast<SshPair*>(self)->m_closed.push_back(channel);
  };
  ssh_callbacks_init(&m_server_callbacks);
  ssh_callbacks_init(&m_channel_callbacks);
  ssh_set_server_callbacks(m_server, &m_server_callbacks);
  ssh_set_auth_methods(m_server, SSH_AUTH_METHOD_PASSWORD);
  ssh_set_blocking(m_server, 0);
  m_event = ssh_event_new();
}

void SshPair::make_client(int descriptor) {
  const bool no = false;
  m_client = ssh_new();
  ssh_options_set(m_client, SSH_OPTIONS_HOST, "localhost");
  ssh_options_set(m_client, SSH_OPTIONS_USER, static_cast<const char*>(k_user));
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
    let_server_work();
  }
  if (state != SSH_OK) {
    return false;
  }
  while (!m_keys_exchanged) {
    let_server_work();
  }
  int login = ssh_userauth_password(m_client, nullptr, static_cast<const char*>(k_password));
  for (; login == SSH_AUTH_AGAIN; login = ssh_userauth_password(m_client, nullptr, k_password)) {
    let_server_work();
  }
  return login == SSH_AUTH_SUCCESS;
}

void SshPair::let_server_work() {
  if (m_keys_exchanged) {
    ssh_event_dopoll(m_event, 0);
    write_more();
    release_closed();
  } else if (ssh_handle_key_exchange(m_server) != SSH_AGAIN) {
    m_keys_exchanged = true;
    ssh_event_add_session(m_event, m_server);
  }
}

int SshPair::answer(ssh_channel channel, const std::string& command) {
  ++m_commands;
  m_streaming = channel;
  if (command.compare(0, sizeof(k_stream) - 1, k_stream) == 0) {
    m_left_to_stream = std::stoul(command.substr(sizeof(k_stream) - 1));
  } else {
    ssh_channel_write(channel, static_cast<const char*>(k_hello), sizeof(k_hello) - 1);
    m_left_to_stream = 0;
  }
  return SSH_OK;
}

// One piece each time the server works; then the end of the command.
void SshPair::write_more() {
  static const std::array<char, k_piece> piece{};
  if (m_streaming == nullptr) {
    return;
  }
  if (m_left_to_stream > 0) {
    const int written = ssh_channel_write(m_streaming, piece.data(),
                                          static_cast<std::uint32_t>(std::min(m_left_to_stream, piece.size())));
    m_left_to_stream -= static_cast<std::size_t>(std::max(written, 0));
  }
  if (m_left_to_stream == 0) {
    ssh_channel_request_send_exit_status(m_streaming, 0);
    ssh_channel_send_eof(m_streaming);
    ssh_channel_close(m_streaming);
    m_streaming = nullptr;
  }
}

void SshPair::release_closed() {
  for (ssh_channel channel : m_closed) {
    m_open.erase(std::find(m_open.begin(), m_open.end(), channel));
    ssh_channel_free(channel);
  }
  m_closed.clear();
}

std::size_t SshPair::run(const char* command) {
  ssh_channel channel = ssh_channel_new(m_client);
  while (ssh_channel_open_session(channel) == SSH_AGAIN) {
    let_server_work();
  }
  while (ssh_channel_request_exec(channel, command) == SSH_AGAIN) {
    let_server_work();
  }
  std::array<char, k_piece> data{};
  std::size_t received = 0;
  while (true) {
    const int size = ssh_channel_read_nonblocking(channel, data.data(), data.size(), 0);
    if (size > 0) {
      received += static_cast<std::size_t>(size);
    } else if (ssh_channel_is_eof(channel) != 0 || size < 0) {
      break;
    } else {
      let_server_work();
    }
  }
  ssh_channel_close(channel);
  ssh_channel_free(channel);
  while (!m_open.empty()) {
    let_server_work();
  }
  return received;
}

}  // namespace allocgate::suite

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "workloads/libssh/ssh_server.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

namespace allocgate::suite {

namespace {

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

std::array<int, 2> make_ssh_sockets() {
  std::array<int, 2> ends = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0) {
    for (const int end : ends) {
      fcntl(end, F_SETFL, O_NONBLOCK);
    }
  }
  return ends;
}

SshServer::SshServer(int descriptor) {
  const bool no = false;
  m_bind = ssh_bind_new();
  ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_IMPORT_KEY, ssh_key_dup(host_key()));
  ssh_bind_options_set(m_bind, SSH_BIND_OPTIONS_PROCESS_CONFIG, &no);
  m_session = ssh_new();
  ssh_bind_accept_fd(m_bind, m_session, descriptor);
  set_callbacks();
  ssh_set_auth_methods(m_session, SSH_AUTH_METHOD_PASSWORD);
  ssh_set_blocking(m_session, 0);
  m_event = ssh_event_new();
}

SshServer::~SshServer() {
  for (ssh_channel channel : m_open) {
    ssh_channel_free(channel);
  }
  if (m_keys_exchanged) {
    ssh_event_remove_session(m_event, m_session);
  }
  ssh_event_free(m_event);
  ssh_disconnect(m_session);
  ssh_free(m_session);
  ssh_bind_free(m_bind);
}

void SshServer::set_callbacks() {
  m_server_callbacks.userdata = this;
  m_server_callbacks.auth_password_function = [](ssh_session, const char* user, const char* password, void*) -> int {
    const bool right = std::strcmp(user, static_cast<const char*>(k_ssh_user)) == 0 &&
                       std::strcmp(password, static_cast<const char*>(k_ssh_password)) == 0;
    return right ? SSH_AUTH_SUCCESS : SSH_AUTH_DENIED;
  };
  m_server_callbacks.channel_open_request_session_function = [](ssh_session session, void* self) {
    auto& server = *static_cast<SshServer*>(self);
    ssh_channel channel = ssh_channel_new(session);
    ssh_set_channel_callbacks(channel, &server.m_channel_callbacks);
    server.m_open.push_back(channel);
    return channel;
  };
  m_channel_callbacks.userdata = this;
  m_channel_callbacks.channel_exec_request_function = [](ssh_session, ssh_channel channel, const char* command,
                                                         void* self) {
    return static_cast<SshServer*>(self)->answer(channel, command);
  };
  // A channel may not be freed inside its own callback.
  m_channel_callbacks.channel_close_function = [](ssh_session, ssh_channel channel, void* self) {
    static_cast<SshServer*>(self)->m_closed.push_back(channel);
  };
  ssh_callbacks_init(&m_server_callbacks);
  ssh_callbacks_init(&m_channel_callbacks);
  ssh_set_server_callbacks(m_session, &m_server_callbacks);
}

void SshServer::work() {
  if (m_keys_exchanged) {
    ssh_event_dopoll(m_event, 0);
    write_more();
    release_closed();
  } else if (ssh_handle_key_exchange(m_session) != SSH_AGAIN) {
    m_keys_exchanged = true;
    ssh_event_add_session(m_event, m_session);
  }
}

int SshServer::answer(ssh_channel channel, const std::string& command) {
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
void SshServer::write_more() {
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

void SshServer::release_closed() {
  for (ssh_channel channel : m_closed) {
    m_open.erase(std::find(m_open.begin(), m_open.end(), channel));
    ssh_channel_free(channel);
  }
  m_closed.clear();
}

}  // namespace allocgate::suite

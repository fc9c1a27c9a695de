// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <uv.h>

// What the workloads over libuv share. One thread a loop.
namespace allocgate::suite {

/// A loop that is closed when all its handles are.
class UvLoop {
public:
  UvLoop() { uv_loop_init(&m_loop); }
  UvLoop(const UvLoop&) = delete;
  UvLoop& operator=(const UvLoop&) = delete;
  ~UvLoop() {
    uv_run(&m_loop, UV_RUN_DEFAULT);
    uv_loop_close(&m_loop);
  }

  uv_loop_t* get() { return &m_loop; }
  /// Until no handle is active; a server that was unreferenced does not keep it.
  void run() { uv_run(&m_loop, UV_RUN_DEFAULT); }

private:
  uv_loop_t m_loop = {};
};

inline sockaddr_in any_loopback_port() {
  sockaddr_in address = {};
  uv_ip4_addr("127.0.0.1", 0, &address);
  return address;
}

/// Listens on a port of the loopback, and does not keep the loop running. `data` is the handle's.
inline bool listen_on_loopback(uv_loop_t* loop, uv_tcp_t& server, void* data, uv_connection_cb accepted) {
  constexpr int k_backlog = 128;
  const sockaddr_in address = any_loopback_port();
  uv_tcp_init(loop, &server);
  server.data = data;
  const bool listens = uv_tcp_bind(&server, reinterpret_cast<const sockaddr*>(&address), 0) == 0 &&
                       uv_listen(reinterpret_cast<uv_stream_t*>(&server), k_backlog, accepted) == 0;
  uv_unref(reinterpret_cast<uv_handle_t*>(&server));
  return listens;
}

inline sockaddr_storage address_of(const uv_tcp_t& server) {
  sockaddr_storage address = {};
  int size = sizeof(address);
  uv_tcp_getsockname(&server, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

/// No delay, and a reset instead of a wait when it is closed.
inline void make_client_socket(uv_tcp_t& client) {
  const linger reset = {1, 0};
  uv_os_fd_t descriptor = -1;
  uv_tcp_nodelay(&client, 1);
  if (uv_fileno(reinterpret_cast<const uv_handle_t*>(&client), &descriptor) == 0) {
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
  }
}

}  // namespace allocgate::suite

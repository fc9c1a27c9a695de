// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <arpa/inet.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <memory>

// What the workloads over libevent share. One thread an event base.
namespace allocgate::suite {

using EventBase = std::unique_ptr<event_base, decltype(&event_base_free)>;

inline EventBase make_event_base() {
  return {event_base_new(), &event_base_free};
}

inline sockaddr_in any_loopback_port() {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

inline sockaddr_in address_of(evutil_socket_t server) {
  sockaddr_in address = {};
  socklen_t size = sizeof(address);
  getsockname(server, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

/// No delay, and a reset instead of a wait when it is closed.
inline void make_client_socket(evutil_socket_t client) {
  const int on = 1;
  const linger reset = {1, 0};
  setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(client, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
}

}  // namespace allocgate::suite

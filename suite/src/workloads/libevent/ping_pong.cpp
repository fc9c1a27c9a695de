// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// libevent/ping_pong_1000_reqs_1_conn: a client sends one byte over TCP, a server on the same base answers with one
// byte, 1000 times over one connection, with bufferevents. A written byte lies in a chunk of 1 KiB that an evbuffer
// makes and gives back when it is empty, and so does a read one: four a round trip. The rest is the two bufferevents.
//
// libevent/add_remove_1000_stages: a filter is put over a bufferevent and taken away again, 1000 times, with one
// message through each. It models a protocol that changes on a connection, as STARTTLS does. A stage is the filter with
// its two buffers, and the chunk that the message lies in: six with what it takes to call back.
//
// The server listens before the window. An iteration ends after both ends are closed.
//
// counts per iteration of libevent/ping_pong_1000_reqs_1_conn: 4 010 allocations, 4 106 240 bytes (libevent 2.1.12)
// counts per iteration of libevent/add_remove_1000_stages: 6 000 allocations, 2 072 000 bytes (libevent 2.1.12)

#include "workloads/common/measure.hpp"
#include "workloads/libevent/event_base.hpp"
#include "workloads/libevent/libevent_description.hpp"

#include <allocgate/benchmark.hpp>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/listener.h>

#include <array>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_round_trips = 1000;
constexpr char k_ping = 'i';
constexpr char k_pong = 'o';

struct Exchange {
  EventBase base = make_event_base();
  evconnlistener* listener = nullptr;
  unsigned round_trips = 0;
  bool server_ended = false;
};

void serve(bufferevent* server, void* /*exchange*/) {
  char byte = 0;
  while (bufferevent_read(server, &byte, 1) == 1 && byte == k_ping) {
    bufferevent_write(server, &k_pong, 1);
  }
}

void server_ends(bufferevent* server, short /*what*/, void* exchange) {
  auto& all = *static_cast<Exchange*>(exchange);
  bufferevent_free(server);
  all.server_ended = true;
  event_base_loopexit(all.base.get(), nullptr);
}

void accept(evconnlistener* /*listener*/, evutil_socket_t socket, sockaddr* /*peer*/, int /*size*/, void* exchange) {
  auto& all = *static_cast<Exchange*>(exchange);
  make_client_socket(socket);
  bufferevent* server = bufferevent_socket_new(all.base.get(), socket, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(server, serve, nullptr, server_ends, exchange);
  bufferevent_enable(server, EV_READ | EV_WRITE);
}

void is_answered(bufferevent* client, void* exchange) {
  auto& all = *static_cast<Exchange*>(exchange);
  char byte = 0;
  if (bufferevent_read(client, &byte, 1) == 1 && byte == k_pong && ++all.round_trips < k_round_trips) {
    bufferevent_write(client, &k_ping, 1);
  } else {
    bufferevent_free(client);
  }
}

void is_connected(bufferevent* client, short what, void* /*exchange*/) {
  if ((what & BEV_EVENT_CONNECTED) != 0) {
    make_client_socket(bufferevent_getfd(client));
    bufferevent_write(client, &k_ping, 1);
  }
}

const char* run_once(Exchange& exchange) {
  exchange.round_trips = 0;
  exchange.server_ended = false;
  bufferevent* client = bufferevent_socket_new(exchange.base.get(), -1, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(client, is_answered, nullptr, is_connected, &exchange);
  bufferevent_enable(client, EV_READ | EV_WRITE);
  const sockaddr_in server = address_of(evconnlistener_get_fd(exchange.listener));
  bufferevent_socket_connect(client, reinterpret_cast<const sockaddr*>(&server), sizeof(server));
  event_base_dispatch(exchange.base.get());
  return exchange.round_trips == k_round_trips && exchange.server_ended ? nullptr : "round trips are missing";
}

void ping_pong(benchmark::State& state) {
  constexpr int k_backlog = 16;
  Exchange exchange;
  const sockaddr_in address = any_loopback_port();
  exchange.listener =
      evconnlistener_new_bind(exchange.base.get(), accept, &exchange, LEV_OPT_CLOSE_ON_FREE | LEV_OPT_REUSEABLE,
                              k_backlog, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  if (exchange.listener == nullptr) {
    state.SkipWithError("the server could not listen");
    return;
  }
  measure_after_first_use(state, [&] { return run_once(exchange); });
  evconnlistener_free(exchange.listener);
}

// Passes everything on.
bufferevent_filter_result pass_on(evbuffer* from, evbuffer* to, ev_ssize_t /*limit*/, bufferevent_flush_mode /*mode*/,
                                  void* /*context*/) {
  return evbuffer_add_buffer(to, from) == 0 ? BEV_OK : BEV_ERROR;
}

const char* add_and_remove(event_base* base, bufferevent* near, bufferevent* far) {
  constexpr unsigned k_stages = 1000;
  std::array<char, 64> message{};
  message.fill('m');
  for (unsigned stage = 0; stage < k_stages; ++stage) {
    bufferevent* filter = bufferevent_filter_new(near, pass_on, pass_on, 0, nullptr, nullptr);
    bufferevent_enable(filter, EV_READ | EV_WRITE);
    bufferevent_write(filter, message.data(), message.size());
    bufferevent_flush(filter, EV_WRITE, BEV_FLUSH);
    event_base_loop(base, EVLOOP_NONBLOCK);
    bufferevent_free(filter);
    std::array<char, 64> received{};
    if (bufferevent_read(far, received.data(), received.size()) != received.size() || received != message) {
      return "the message did not come through the stage";
    }
  }
  return nullptr;
}

void stages(benchmark::State& state) {
  const EventBase base = make_event_base();
  std::array<bufferevent*, 2> pair{};
  if (bufferevent_pair_new(base.get(), 0, pair.data()) != 0) {
    state.SkipWithError("no pair of bufferevents");
    return;
  }
  bufferevent_enable(pair[0], EV_READ | EV_WRITE);
  bufferevent_enable(pair[1], EV_READ | EV_WRITE);
  measure_after_first_use(state, [&] { return add_and_remove(base.get(), pair[0], pair[1]); });
  bufferevent_free(pair[0]);
  bufferevent_free(pair[1]);
}

ALLOCGATE_WORKLOAD(ping_pong, "libevent/ping_pong_1000_reqs_1_conn",
                   (libevent_row("TCP: 1000 one-byte round trips over one connection, bufferevents")));
ALLOCGATE_WORKLOAD(stages, "libevent/add_remove_1000_stages",
                   (libevent_row("a pipeline: a filter over a bufferevent added and removed 1000 times")));

}  // namespace

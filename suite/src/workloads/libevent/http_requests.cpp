// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// libevent/1000_reqs_1_conn: an evhttp client sends 1000 GET requests over one keep-alive connection, an evhttp server
// answers each with 100 bytes and four headers. libevent/1_reqs_1000_conn: one request on each of 1000 connections.
// /2_threads: the same with the server in a thread of its own.
//
// The server listens before the window. An iteration is everything else, to the end of both ends, in one dispatch. Of
// the 86 of a request most are headers, three allocations each on either side and those that evhttp adds (Date,
// Content-Type, Connection), then the two requests, their buffers and the parts of a URI. 16 more are a connection.
//
// counts per iteration of libevent/1000_reqs_1_conn: 86 024 allocations, 7 765 798 bytes (libevent 2.1.12)
// counts per iteration of libevent/1_reqs_1000_conn: 102 001 allocations, 19 261 160 bytes (libevent 2.1.12)
// counts per iteration of libevent/1000_reqs_1_conn/2_threads: 86 000 to 86 100 allocations (libevent 2.1.12)
// not exact: two threads; the end of a connection may overlap what comes after it
// counts per iteration of libevent/1_reqs_1000_conn/2_threads: 102 000 to 102 500 allocations (libevent 2.1.12)
// not exact: two threads; the end of a connection overlaps the start of the next one

#include "workloads/common/measure.hpp"
#include "workloads/libevent/event_base.hpp"
#include "workloads/libevent/libevent_description.hpp"

#include <allocgate/benchmark.hpp>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/thread.h>

#include <atomic>
#include <string>
#include <thread>

namespace {

using namespace allocgate::suite;

constexpr char k_target[] = "/allocation-test-1";
constexpr std::size_t k_body_size = 100;
constexpr unsigned k_many = 1000;

struct Server {
  explicit Server(event_base* its_base) : base(its_base), http(evhttp_new(base)) {
    evhttp_set_gencb(
        http, [](evhttp_request* request, void* self) { static_cast<Server*>(self)->answer(request); }, this);
    evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
    port = bound != nullptr ? ntohs(address_of(evhttp_bound_socket_get_fd(bound)).sin_port) : 0;
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { evhttp_free(http); }

  void answer(evhttp_request* request) {
    constexpr int k_extra_headers = 3;
    constexpr int k_ok = 200;
    evhttp_connection_set_closecb(
        evhttp_request_get_connection(request),
        [](evhttp_connection* /*connection*/, void* self) { static_cast<Server*>(self)->connection_ends(); }, this);
    evkeyvalq* headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Content-Length", "100");
    for (int header = 0; header < k_extra_headers; ++header) {
      evhttp_add_header(headers, "X-Random-Extra-Header", std::to_string(header).c_str());
    }
    evbuffer* body = evbuffer_new();
    const std::string text(k_body_size, 'x');
    evbuffer_add(body, text.data(), text.size());
    evhttp_send_reply(request, k_ok, "OK", body);
    evbuffer_free(body);
  }

  // The last one ends the run of a base that has both ends, once libevent has released the connection.
  void connection_ends() {
    if (++ended == breaks_after) {
      event_base_loopexit(base, nullptr);
    }
  }

  event_base* base;
  evhttp* http;
  std::uint16_t port = 0;
  std::atomic<unsigned> ended = 0;
  unsigned breaks_after = 0;
};

struct Client {
  event_base* base;
  std::uint16_t port;
  unsigned connections;  // that are still to be made, one after another
  unsigned requests;     // of each
  bool keep_alive = requests > 1;
  evhttp_connection* connection = nullptr;
  unsigned left = 0;
  unsigned answered = 0;

  void connect() {
    --connections;
    left = requests;
    connection = evhttp_connection_base_new(base, nullptr, "127.0.0.1", port);
    ask();
  }

  void ask() {
    evhttp_request* request = evhttp_request_new(
        [](evhttp_request* answer, void* self) { static_cast<Client*>(self)->is_answered(answer); }, this);
    evkeyvalq* headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Host", "foo.com");
    if (keep_alive) {
      evhttp_add_header(headers, "Connection", "keep-alive");
    }
    evhttp_make_request(connection, request, EVHTTP_REQ_GET, static_cast<const char*>(k_target));
  }

  void is_answered(evhttp_request* answer) {
    constexpr int k_ok = 200;
    if (answer != nullptr && evhttp_request_get_response_code(answer) == k_ok &&
        evbuffer_get_length(evhttp_request_get_input_buffer(answer)) == k_body_size) {
      ++answered;
    }
    if (--left > 0) {
      ask();
    } else {
      // A connection may not be freed inside its own callback.
      event_base_once(
          base, -1, EV_TIMEOUT, [](evutil_socket_t, short, void* self) { static_cast<Client*>(self)->end(); }, this,
          nullptr);
    }
  }

  void end() {
    make_client_socket(bufferevent_getfd(evhttp_connection_get_bufferevent(connection)));
    evhttp_connection_free(connection);
    if (connections > 0) {
      connect();
    }
  }
};

void one_thread(benchmark::State& state, unsigned connections, unsigned requests) {
  const EventBase base = make_event_base();
  Server server(base.get());
  measure_after_first_use(state, [&]() -> const char* {
    server.ended = 0;
    server.breaks_after = connections;
    Client client{.base = base.get(), .port = server.port, .connections = connections, .requests = requests};
    client.connect();
    event_base_dispatch(base.get());
    return client.answered == connections * requests && server.ended == connections ? nullptr : "answers are missing";
  });
}

void two_threads(benchmark::State& state, unsigned connections, unsigned requests) {
  evthread_use_pthreads();
  const EventBase server_base = make_event_base();
  const EventBase client_base = make_event_base();
  {
    Server server(server_base.get());
    std::thread thread([&] { event_base_dispatch(server_base.get()); });
    measure_after_first_use(state, [&]() -> const char* {
      server.ended = 0;
      Client client{.base = client_base.get(), .port = server.port, .connections = connections, .requests = requests};
      client.connect();
      event_base_dispatch(client_base.get());
      while (server.ended != connections) {
        std::this_thread::yield();
      }
      return client.answered == connections * requests ? nullptr : "answers are missing";
    });
    event_base_loopbreak(server_base.get());
    thread.join();
  }
}

void many_requests(benchmark::State& state) {
  one_thread(state, 1, k_many);
}

void many_connections(benchmark::State& state) {
  one_thread(state, k_many, 1);
}

void many_requests_two_threads(benchmark::State& state) {
  two_threads(state, 1, k_many);
}

void many_connections_two_threads(benchmark::State& state) {
  two_threads(state, k_many, 1);
}

ALLOCGATE_WORKLOAD(many_requests, "libevent/1000_reqs_1_conn",
                   (in_layers(libevent_row("HTTP/1.1: 1000 GET requests over one keep-alive connection, evhttp"),
                              {{"core", "libevent/ping_pong_1000_reqs_1_conn"}})));
ALLOCGATE_WORKLOAD(many_connections, "libevent/1_reqs_1000_conn",
                   (libevent_row("HTTP/1.1: 1000 connections one after another, one GET request on each, evhttp")));
ALLOCGATE_WORKLOAD(many_requests_two_threads, "libevent/1000_reqs_1_conn/2_threads",
                   (least_of(libevent_row("the same with the server in a thread of its own"), 2)));
ALLOCGATE_WORKLOAD(many_connections_two_threads, "libevent/1_reqs_1000_conn/2_threads",
                   (least_of(libevent_row("the same with the server in a thread of its own"), 2)));

}  // namespace

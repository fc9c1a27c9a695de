// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// uv/ping_pong_1000_reqs_1_conn: a client sends one byte over TCP, a server on the same loop answers with one byte,
// 1000 times over one connection. libuv makes nothing for a round trip: requests and buffers are the caller's, here
// members of the connection. What is left is the two connections. With the requests and the buffers made for each write
// and each read, as its guide does, a round trip is four allocations; that is the caller's choice, not libuv's.
//
// The server listens before the window. An iteration is a connection: connect, accept, the round trips and the end of
// both ends, in one uv_run().
//
// counts per iteration of uv/ping_pong_1000_reqs_1_conn: 2 allocations, 1 120 bytes (uv 1.44.2)
// counts per iteration of uv/ping_pong_1000_reqs_1_conn/made_anew: 4 003 allocations, 393 124 bytes (uv 1.44.2)

#include "workloads/common/measure.hpp"
#include "workloads/uv/loop.hpp"
#include "workloads/uv/uv_description.hpp"

#include <allocgate/benchmark.hpp>

#include <cstdlib>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_round_trips = 1000;
constexpr char k_ping = 'i';
constexpr char k_pong = 'o';

struct Exchange {
  explicit Exchange(bool anew) : made_anew(anew) {}

  bool made_anew;
  UvLoop loop;
  uv_tcp_t server = {};
  unsigned round_trips = 0;
  unsigned ended = 0;
};

struct Connection {
  Connection(Exchange& all, bool is_server) : exchange(all), serves(is_server) {
    uv_tcp_init(exchange.loop.get(), &socket);
    socket.data = this;
    connecting.data = this;
  }

  Exchange& exchange;
  bool serves;
  uv_tcp_t socket = {};
  uv_connect_t connecting = {};
  uv_write_t writing = {};
  char received[4] = {};
};

uv_stream_t* stream_of(Connection& connection) {
  return reinterpret_cast<uv_stream_t*>(&connection.socket);
}

void end(Connection& connection) {
  auto* handle = reinterpret_cast<uv_handle_t*>(&connection.socket);
  if (uv_is_closing(handle) == 0) {
    uv_close(handle, [](uv_handle_t* closed) {
      auto* ended = static_cast<Connection*>(closed->data);
      ++ended->exchange.ended;
      delete ended;
    });
  }
}

void write(Connection& connection) {
  static char byte_of_server = k_pong;
  static char byte_of_client = k_ping;
  const uv_buf_t buffer = uv_buf_init(connection.serves ? &byte_of_server : &byte_of_client, 1);
  if (connection.exchange.made_anew) {
    auto* request = static_cast<uv_write_t*>(std::malloc(sizeof(uv_write_t)));
    uv_write(request, stream_of(connection), &buffer, 1,
             [](uv_write_t* written, int /*status*/) { std::free(written); });
  } else {
    uv_write(&connection.writing, stream_of(connection), &buffer, 1, nullptr);
  }
}

void has_read(Connection& connection, ssize_t size, char byte) {
  if (size < 0) {
    end(connection);
  } else if (size == 1 && connection.serves && byte == k_ping) {
    write(connection);
  } else if (size == 1 && !connection.serves && byte == k_pong) {
    if (++connection.exchange.round_trips < k_round_trips) {
      write(connection);
    } else {
      end(connection);
    }
  }
}

void read(Connection& connection) {
  uv_read_start(
      stream_of(connection),
      [](uv_handle_t* handle, std::size_t /*suggested*/, uv_buf_t* buffer) {
        auto& reader = *static_cast<Connection*>(handle->data);
        char* memory = reader.exchange.made_anew ? static_cast<char*>(std::malloc(sizeof(reader.received)))
                                                 : static_cast<char*>(reader.received);
        *buffer = uv_buf_init(memory, sizeof(reader.received));
      },
      [](uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
        auto& reader = *static_cast<Connection*>(stream->data);
        const bool made_anew = reader.exchange.made_anew;
        has_read(reader, size, buffer->base != nullptr ? buffer->base[0] : '\0');
        if (made_anew) {
          std::free(buffer->base);
        }
      });
}

void accept(uv_stream_t* server, int /*status*/) {
  auto* connection = new Connection(*static_cast<Exchange*>(server->data), true);
  uv_accept(server, stream_of(*connection));
  uv_tcp_nodelay(&connection->socket, 1);
  read(*connection);
}

const char* run_once(Exchange& exchange) {
  exchange.round_trips = 0;
  exchange.ended = 0;
  auto* client = new Connection(exchange, false);
  const sockaddr_storage address = address_of(exchange.server);
  uv_tcp_connect(&client->connecting, &client->socket, reinterpret_cast<const sockaddr*>(&address),
                 [](uv_connect_t* request, int /*status*/) {
                   auto& connected = *static_cast<Connection*>(request->data);
                   make_client_socket(connected.socket);
                   read(connected);
                   write(connected);
                 });
  exchange.loop.run();
  return exchange.round_trips == k_round_trips && exchange.ended == 2 ? nullptr : "round trips are missing";
}

void run(benchmark::State& state, bool made_anew) {
  Exchange exchange(made_anew);
  if (!listen_on_loopback(exchange.loop.get(), exchange.server, &exchange, accept)) {
    state.SkipWithError("the server could not listen");
  }
  measure_after_first_use(state, [&] { return run_once(exchange); });
  uv_close(reinterpret_cast<uv_handle_t*>(&exchange.server), nullptr);
}

void ping_pong(benchmark::State& state) {
  run(state, false);
}

void made_anew(benchmark::State& state) {
  run(state, true);
}

ALLOCGATE_WORKLOAD(ping_pong, "uv/ping_pong_1000_reqs_1_conn",
                   (uv_row("TCP: 1000 one-byte round trips over one connection")));
ALLOCGATE_WORKLOAD(made_anew, "uv/ping_pong_1000_reqs_1_conn/made_anew",
                   (uv_row("the same with requests and buffers made anew, against members")));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/ws_echo_1000: 1000 messages of 128 bytes over TCP, each sent back, with connect, upgrade and close.
// beast/100_ws_upgrades: 100 connections that are upgraded from HTTP and closed again.
//
// counts per iteration of beast/ws_echo_1000: 43 allocations, 21 563 bytes (beast 1.81.0)
// counts per iteration of beast/100_ws_upgrades: 3 207 allocations, 1 051 228 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>

namespace {

using namespace allocgate::suite;
namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using asio::ip::tcp;
using boost::beast::error_code;

constexpr unsigned k_frames = 1000;
constexpr std::size_t k_echoed = 128;

struct Exchange {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned messages = 0;     // of each connection
  unsigned connections = 0;  // that are still to be made, one after another
  unsigned echoed = 0;
  unsigned ended = 0;  // ends of connections
};

class Session : public std::enable_shared_from_this<Session> {
public:
  Session(Exchange& exchange, tcp::socket socket) : m_exchange(exchange), m_stream(std::move(socket)) {
    m_stream.next_layer().set_option(tcp::no_delay(true));
    m_stream.binary(true);
  }
  ~Session() { ++m_exchange.ended; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void accept() {
    m_stream.async_accept([self = shared_from_this()](error_code error) {
      if (!error) {
        self->read();
      }
    });
  }

private:
  void read() {
    m_stream.async_read(m_buffer, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->write();
      }
    });
  }

  void write() {
    m_stream.async_write(m_buffer.data(), [self = shared_from_this()](error_code error, std::size_t) {
      self->m_buffer.consume(self->m_buffer.size());
      if (!error) {
        self->read();
      }
    });
  }

  Exchange& m_exchange;
  websocket::stream<tcp::socket> m_stream;
  boost::beast::flat_buffer m_buffer;
};

class Client : public std::enable_shared_from_this<Client> {
public:
  explicit Client(Exchange& exchange) : m_exchange(exchange), m_stream(exchange.context), m_left(exchange.messages) {}
  ~Client() { ++m_exchange.ended; }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  // The server accepts when the client is connected: which of both events epoll tells first would depend on the load.
  void connect() {
    tcp::socket& socket = m_stream.next_layer();
    socket.async_connect(m_exchange.acceptor.local_endpoint(), [self = shared_from_this()](error_code error) {
      if (!error) {
        self->m_exchange.acceptor.async_accept([&exchange = self->m_exchange](error_code failed, tcp::socket accepted) {
          if (!failed) {
            std::make_shared<Session>(exchange, std::move(accepted))->accept();
          }
        });
        self->upgrade();
      }
    });
  }

private:
  void upgrade() {
    m_stream.next_layer().set_option(tcp::no_delay(true));
    m_stream.next_layer().set_option(tcp::socket::linger(true, 0));
    m_stream.binary(true);
    m_stream.async_handshake("foo.com", "/ws", [self = shared_from_this()](error_code error) {
      if (!error) {
        self->next();
      }
    });
  }

  void next() {
    if (m_left > 0) {
      --m_left;
      m_stream.async_write(asio::buffer(m_message), [self = shared_from_this()](error_code error, std::size_t) {
        if (!error) {
          self->read();
        }
      });
    } else {
      m_stream.async_close(websocket::close_code::normal,
                           [self = shared_from_this()](error_code /*error*/) { connect_next(self->m_exchange); });
    }
  }

  void read() {
    m_stream.async_read(m_buffer, [self = shared_from_this()](error_code error, std::size_t size) {
      self->m_exchange.echoed += !error && size == k_echoed ? 1 : 0;
      self->m_buffer.consume(self->m_buffer.size());
      if (!error) {
        self->next();
      }
    });
  }

public:
  static void connect_next(Exchange& exchange) {
    if (exchange.connections > 0) {
      --exchange.connections;
      std::make_shared<Client>(exchange)->connect();
    }
  }

private:
  Exchange& m_exchange;
  websocket::stream<tcp::socket> m_stream;
  unsigned m_left;
  boost::beast::flat_buffer m_buffer;
  std::array<char, k_echoed> m_message{};
};

const char* run_over_tcp(Exchange& exchange, unsigned connections, unsigned messages) {
  exchange.messages = messages;
  exchange.connections = connections;
  exchange.echoed = 0;
  exchange.ended = 0;
  Client::connect_next(exchange);
  exchange.context.restart();
  exchange.context.run();
  return exchange.echoed == connections * messages && exchange.ended == 2 * connections ? nullptr
                                                                                        : "messages are missing";
}

void echo(benchmark::State& state) {
  Exchange exchange;
  measure_after_first_use(state, [&] { return run_over_tcp(exchange, 1, k_frames); });
}

void upgrades(benchmark::State& state) {
  constexpr unsigned k_connections = 100;
  Exchange exchange;
  measure_after_first_use(state, [&] { return run_over_tcp(exchange, k_connections, 0); });
}

ALLOCGATE_WORKLOAD(echo, "beast/ws_echo_1000",
                   (in_layers(beast_row("WebSocket over TCP: 1000 messages sent back"),
                              {{"codec", "beast/encode_1000_ws_frames"},
                               {"codec", "beast/encode_1000_ws_frames/server"},
                               {"codec", "beast/decode_1000_ws_frames/1_kib", 2},
                               {"core", "asio/ping_pong_1000_reqs_1_conn"}})));
ALLOCGATE_WORKLOAD(upgrades, "beast/100_ws_upgrades",
                   (beast_row("WebSocket over TCP: 100 connections upgraded from HTTP and closed")));

}  // namespace

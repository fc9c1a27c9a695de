// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/ping_pong_1000_reqs_1_conn: a client sends one byte over TCP, a server in the same thread answers with one byte,
// 1000 times over one connection. It models the read and write path of any TCP protocol, without a protocol.
//
// An iteration is everything: io_context, acceptor, connect, accept, the round trips, and the end of both sides, all in
// one io_context::run(). Handler memory is recycled inside run(), so a round trip allocates nothing; what is left is
// set-up: the services and the epoll reactor of io_context, the two sessions, the sockets' reactor states.
//
// counts per iteration of asio/ping_pong_1000_reqs_1_conn: 13 allocations, 2 304 bytes (asio 1.22.1)

#include "workloads/asio_description.hpp"

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>

#include <array>
#include <memory>
#include <utility>

namespace {

using asio::ip::tcp;

constexpr unsigned k_round_trips = 1000;
constexpr unsigned char k_ping = 0xbe;
constexpr unsigned char k_pong = 0xef;

// What the two sides have seen; the first failure is kept and ends the run.
struct Exchange {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned round_trips = 0;
  bool server_ended = false;
  const char* failure = nullptr;

  void fail(const char* why) {
    failure = failure != nullptr ? failure : why;
    context.stop();
  }
};

class Server : public std::enable_shared_from_this<Server> {
public:
  Server(Exchange& exchange, tcp::socket socket) : m_exchange(exchange), m_socket(std::move(socket)) {
    m_socket.set_option(tcp::no_delay(true));
  }

  void read() {
    m_socket.async_read_some(asio::buffer(m_received),
                             [self = shared_from_this()](std::error_code error, std::size_t size) {
                               if (error) {
                                 self->m_exchange.server_ended = true;
                               } else if (size != 1 || self->m_received[0] != k_ping) {
                                 self->m_exchange.fail("the server did not receive one ping");
                               } else {
                                 self->write();
                               }
                             });
  }

private:
  void write() {
    asio::async_write(m_socket, asio::buffer(&k_pong, 1),
                      [self = shared_from_this()](std::error_code error, std::size_t /*size*/) {
                        if (error) {
                          self->m_exchange.fail("the server could not write");
                        } else {
                          self->read();
                        }
                      });
  }

  Exchange& m_exchange;
  tcp::socket m_socket;
  std::array<unsigned char, 4> m_received{};
};

class Client : public std::enable_shared_from_this<Client> {
public:
  explicit Client(Exchange& exchange) : m_exchange(exchange), m_socket(exchange.context) {}

  void connect() {
    m_socket.async_connect(m_exchange.acceptor.local_endpoint(), [self = shared_from_this()](std::error_code error) {
      if (error) {
        self->m_exchange.fail("the client could not connect");
        return;
      }
      self->m_socket.set_option(tcp::no_delay(true));
      self->m_socket.set_option(tcp::socket::linger(true, 0));
      self->write();
    });
  }

private:
  void write() {
    asio::async_write(m_socket, asio::buffer(&k_ping, 1),
                      [self = shared_from_this()](std::error_code error, std::size_t /*size*/) {
                        if (error) {
                          self->m_exchange.fail("the client could not write");
                        } else {
                          self->read();
                        }
                      });
  }

  void read() {
    m_socket.async_read_some(asio::buffer(m_received),
                             [self = shared_from_this()](std::error_code error, std::size_t size) {
                               if (error || size != 1 || self->m_received[0] != k_pong) {
                                 self->m_exchange.fail("the client did not receive one pong");
                               } else if (++self->m_exchange.round_trips < k_round_trips) {
                                 self->write();
                               } else {
                                 self->m_socket.close();
                                 self->m_exchange.acceptor.close();
                               }
                             });
  }

  Exchange& m_exchange;
  tcp::socket m_socket;
  std::array<unsigned char, 4> m_received{};
};

// Accepts until the client closes the acceptor, as a server does.
void accept(Exchange& exchange) {
  exchange.acceptor.async_accept([&exchange](std::error_code error, tcp::socket socket) {
    if (error) {
      return;
    }
    std::make_shared<Server>(exchange, std::move(socket))->read();
    accept(exchange);
  });
}

const char* run_once() {
  Exchange exchange;
  accept(exchange);
  std::make_shared<Client>(exchange)->connect();
  exchange.context.run();
  if (exchange.failure != nullptr) {
    return exchange.failure;
  }
  return exchange.round_trips == k_round_trips && exchange.server_ended ? nullptr : "round trips are missing";
}

void ping_pong(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    if (const char* failure = run_once()) {
      state.SkipWithError(failure);
      break;
    }
  }
}

ALLOCGATE_WORKLOAD(ping_pong, "asio/ping_pong_1000_reqs_1_conn",
                   (allocgate::suite::asio_description("TCP: 1000 one-byte round trips over one connection")));

}  // namespace

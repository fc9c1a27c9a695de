// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/steady_timer.hpp>
#include <asio/write.hpp>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <utility>

// The two ends of the ping-pong workloads, with callbacks. Each end stays in one thread; what they have seen may be
// read by another one.
namespace allocgate::suite {

inline constexpr unsigned k_round_trips = 1000;
inline constexpr unsigned char k_ping = 0xbe;
inline constexpr unsigned char k_pong = 0xef;

/// Answers each byte on each connection that it accepts.
class PongServer {
public:
  using tcp = asio::ip::tcp;

  explicit PongServer(asio::io_context& context)
      : m_acceptor(context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {}

  [[nodiscard]] tcp::endpoint endpoint() const { return m_acceptor.local_endpoint(); }
  [[nodiscard]] unsigned ended() const { return m_ended; }
  [[nodiscard]] bool failed() const { return m_failed; }

  /// Accepts one connection, and with `forever` the next ones too.
  void accept(bool forever = false) {
    m_acceptor.async_accept([this, forever](std::error_code error, tcp::socket socket) {
      if (error) {
        return;
      }
      std::make_shared<Session>(*this, std::move(socket))->read();
      if (forever) {
        accept(true);
      }
    });
  }
  /// The one that is waited for is given up; accept() starts again.
  void stop_accepting() { m_acceptor.cancel(); }

private:
  class Session : public std::enable_shared_from_this<Session> {
  public:
    Session(PongServer& server, tcp::socket socket) : m_server(server), m_socket(std::move(socket)) {
      m_socket.set_option(tcp::no_delay(true));
    }
    ~Session() {
      m_socket.close();
      ++m_server.m_ended;
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void read() {
      m_socket.async_read_some(asio::buffer(m_received),
                               [self = shared_from_this()](std::error_code error, std::size_t size) {
                                 if (!error && size == 1 && self->m_received[0] == k_ping) {
                                   self->write();
                                 } else if (!error) {
                                   self->m_server.m_failed = true;
                                 }
                               });
    }

  private:
    void write() {
      asio::async_write(m_socket, asio::buffer(&k_pong, 1),
                        [self = shared_from_this()](std::error_code error, std::size_t /*size*/) {
                          if (!error) {
                            self->read();
                          }
                        });
    }

    PongServer& m_server;
    tcp::socket m_socket;
    std::array<unsigned char, 4> m_received{};
  };

  tcp::acceptor m_acceptor;
  std::atomic<unsigned> m_ended = 0;
  std::atomic<bool> m_failed = false;
};

/// Sends k_round_trips bytes, each after the answer to the one before; with a deadline for each answer if asked.
class PingClient : public std::enable_shared_from_this<PingClient> {
public:
  using tcp = asio::ip::tcp;

  PingClient(asio::io_context& context, unsigned& round_trips, bool deadline = false)
      : m_socket(context), m_round_trips(round_trips) {
    if (deadline) {
      m_deadline.emplace(context);
    }
  }

  /// Where the server is in the same thread it accepts when the client is connected: both events come together, and
  /// which one epoll tells first would depend on the machine's load.
  void connect(PongServer& server, bool same_thread = true) {
    m_socket.async_connect(server.endpoint(), [self = shared_from_this(), &server, same_thread](std::error_code error) {
      if (!error) {
        if (same_thread) {
          server.accept();
        }
        self->m_socket.set_option(tcp::no_delay(true));
        self->m_socket.set_option(tcp::socket::linger(true, 0));
        self->write();
      }
    });
  }

private:
  void write() {
    asio::async_write(m_socket, asio::buffer(&k_ping, 1),
                      [self = shared_from_this()](std::error_code error, std::size_t /*size*/) {
                        if (!error) {
                          self->read();
                        }
                      });
  }

  void read() {
    if (m_deadline) {
      set_deadline();
    }
    m_socket.async_read_some(asio::buffer(m_received),
                             [self = shared_from_this()](std::error_code error, std::size_t size) {
                               if (error || size != 1 || self->m_received[0] != k_pong) {
                                 self->end();
                               } else if (++self->m_round_trips < k_round_trips) {
                                 self->write();
                               } else {
                                 self->end();
                               }
                             });
  }

  void set_deadline() {
    constexpr std::chrono::seconds k_deadline{30};
    m_deadline->expires_after(k_deadline);
    m_deadline->async_wait([self = shared_from_this()](std::error_code error) {
      if (!error) {
        self->end();
      }
    });
  }

  void end() {
    m_socket.close();
    if (m_deadline) {
      m_deadline->cancel();
    }
  }

  tcp::socket m_socket;
  unsigned& m_round_trips;
  std::optional<asio::steady_timer> m_deadline;
  std::array<unsigned char, 4> m_received{};
};

/// One exchange with both ends in this thread, after which both are closed: null, or what went wrong.
inline const char* exchange_pings(asio::io_context& context, PongServer& server, bool deadline = false) {
  const unsigned ended = server.ended();
  unsigned round_trips = 0;
  std::make_shared<PingClient>(context, round_trips, deadline)->connect(server);
  context.restart();
  context.run();
  if (server.failed()) {
    return "the server did not receive one ping";
  }
  return round_trips == k_round_trips && server.ended() == ended + 1 ? nullptr : "round trips are missing";
}

}  // namespace allocgate::suite

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/beast/http_messages.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/strand.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <atomic>
#include <memory>
#include <utility>

// The two ends of the HTTP workloads, with callbacks. Each connection stays in one thread or on its strand; what they
// count may be read by any.
namespace allocgate::suite {

class HttpServer {
public:
  using tcp = boost::asio::ip::tcp;
  using error_code = boost::beast::error_code;

  /// With `strands` each connection has its own, so that several threads may run the context.
  explicit HttpServer(boost::asio::io_context& context, bool strands = false)
      : m_context(context),
        m_strands(strands),
        m_acceptor(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)) {}

  [[nodiscard]] tcp::endpoint endpoint() const { return m_acceptor.local_endpoint(); }
  /// Connections that have ended on this side.
  [[nodiscard]] unsigned ended() const { return m_ended; }
  [[nodiscard]] bool failed() const { return m_failed; }

  /// Accepts one connection, and with `forever` the next ones too.
  void accept(bool forever = false) {
    auto accepted = [this, forever](error_code error, tcp::socket socket) {
      if (error) {
        return;
      }
      std::make_shared<Session>(*this, std::move(socket))->read();
      if (forever) {
        accept(true);
      }
    };
    if (m_strands) {
      m_acceptor.async_accept(boost::asio::any_io_executor(boost::asio::make_strand(m_context)), accepted);
    } else {
      m_acceptor.async_accept(accepted);
    }
  }
  /// The one that is waited for is given up; accept() starts again.
  void stop_accepting() { m_acceptor.cancel(); }

private:
  class Session : public std::enable_shared_from_this<Session> {
  public:
    Session(HttpServer& server, tcp::socket socket) : m_server(server), m_socket(std::move(socket)) {
      m_socket.set_option(tcp::no_delay(true));
    }
    ~Session() {
      m_socket.close();
      ++m_server.m_ended;
    }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void read() {
      m_request = {};
      boost::beast::http::async_read(m_socket, m_buffer, m_request,
                                     [self = shared_from_this()](error_code error, std::size_t) {
                                       if (!error && self->m_request.target() == k_target) {
                                         self->write();
                                       } else if (!error) {
                                         self->m_server.m_failed = true;
                                       }
                                     });
    }

  private:
    void write() {
      m_response = make_response();
      boost::beast::http::async_write(m_socket, m_response, [self = shared_from_this()](error_code error, std::size_t) {
        if (!error) {
          self->read();
        }
      });
    }

    HttpServer& m_server;
    tcp::socket m_socket;
    boost::beast::flat_buffer m_buffer;
    boost::beast::http::request<boost::beast::http::string_body> m_request;
    boost::beast::http::response<boost::beast::http::string_body> m_response;
  };

  boost::asio::io_context& m_context;
  bool m_strands;
  tcp::acceptor m_acceptor;
  std::atomic<unsigned> m_ended = 0;
  std::atomic<bool> m_failed = false;
};

/// Asks `requests` times on one connection, then resets it and calls `m_ended` of the run.
class HttpClient : public std::enable_shared_from_this<HttpClient> {
public:
  using tcp = boost::asio::ip::tcp;
  using error_code = boost::beast::error_code;

  /// What the clients of one run have in common.
  struct Run {
    HttpServer& server;
    unsigned requests = 0;     // of each connection
    unsigned connections = 0;  // that are still to be made, one after another
    bool same_thread = true;   // with the server, which then accepts when the client is connected
    std::atomic<unsigned> answered = 0;
  };

  template <typename Executor>
  HttpClient(const Executor& executor, Run& run) : m_socket(executor), m_run(run), m_left(run.requests) {}

  /// Makes the next connection of a run, if there is one left.
  template <typename Executor>
  static void connect_next(const Executor& executor, Run& run) {
    if (run.connections > 0) {
      --run.connections;
      std::make_shared<HttpClient>(executor, run)->connect();
    }
  }

  // Both events come together where one thread has both ends, and which one epoll tells first would depend on the
  // machine's load. So the server accepts afterwards.
  void connect() {
    m_socket.async_connect(m_run.server.endpoint(), [self = shared_from_this()](error_code error) {
      if (error) {
        return;
      }
      if (self->m_run.same_thread) {
        self->m_run.server.accept();
      }
      self->m_socket.set_option(tcp::no_delay(true));
      self->m_socket.set_option(tcp::socket::linger(true, 0));
      self->write();
    });
  }

private:
  void write() {
    m_request = make_request();
    boost::beast::http::async_write(m_socket, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->read();
      }
    });
  }

  void read() {
    m_response = {};
    boost::beast::http::async_read(m_socket, m_buffer, m_response,
                                   [self = shared_from_this()](error_code error, std::size_t) {
                                     if (error || !is_answer(self->m_response)) {
                                       return;
                                     }
                                     ++self->m_run.answered;
                                     if (--self->m_left > 0) {
                                       self->write();
                                     } else {
                                       self->m_socket.close();
                                       connect_next(self->m_socket.get_executor(), self->m_run);
                                     }
                                   });
  }

  tcp::socket m_socket;
  Run& m_run;
  unsigned m_left;
  boost::beast::flat_buffer m_buffer;
  boost::beast::http::request<boost::beast::http::empty_body> m_request;
  boost::beast::http::response<boost::beast::http::string_body> m_response;
};

}  // namespace allocgate::suite

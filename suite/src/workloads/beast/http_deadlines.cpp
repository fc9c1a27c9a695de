// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/1000_reqs_1_conn over basic streams that can have deadlines: /tcp_stream has none, /deadline has one of 30 s
// for every read and every write on either end, as a server sets it that must not wait for ever for its clients.
//
// A stream keeps its state behind a pointer: two more allocations a connection than over a socket. With a deadline each
// read and write also waits for its timer, and is told when that was cancelled. That handler takes a block that would
// have been used again: two more allocations a request, and larger ones.
//
// counts per iteration of beast/1000_reqs_1_conn/tcp_stream: 20 015 allocations, 2 531 957 bytes (beast 1.81.0)
// counts per iteration of beast/1000_reqs_1_conn/deadline: 22 017 allocations, 4 020 853 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/beast/http_messages.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <chrono>
#include <memory>
#include <utility>

namespace {

using namespace allocgate::suite;
namespace http = boost::beast::http;
using boost::beast::error_code;
using tcp = boost::asio::ip::tcp;

constexpr unsigned k_requests = 1000;
constexpr std::chrono::seconds k_deadline{30};

// What both ends of one run share.
struct Run {
  boost::asio::io_context& context;
  tcp::acceptor& acceptor;
  bool has_deadlines = false;
  unsigned answered = 0;
  unsigned ended_servers = 0;
};

class End {
public:
  explicit End(Run& run) : m_run(run), m_stream(run.context) {}

protected:
  void begin() {
    if (m_run.has_deadlines) {
      m_stream.expires_after(k_deadline);
    }
  }

  Run& m_run;
  boost::beast::tcp_stream m_stream;
  boost::beast::flat_buffer m_buffer;
};

class Server : public End, public std::enable_shared_from_this<Server> {
public:
  using End::End;
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { ++m_run.ended_servers; }

  void accept() {
    m_run.acceptor.async_accept(m_stream.socket(), [self = shared_from_this()](error_code error) {
      if (!error) {
        self->m_stream.socket().set_option(tcp::no_delay(true));
        self->read();
      }
    });
  }

private:
  void read() {
    m_request = {};
    begin();
    http::async_read(m_stream, m_buffer, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && self->m_request.target() == k_target) {
        self->write();
      }
    });
  }

  void write() {
    m_response = make_response();
    begin();
    http::async_write(m_stream, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->read();
      }
    });
  }

  http::request<http::string_body> m_request;
  http::response<http::string_body> m_response;
};

class Client : public End, public std::enable_shared_from_this<Client> {
public:
  using End::End;

  // The server accepts when this is connected: which one epoll tells first would depend on the machine's load.
  void connect() {
    m_stream.async_connect(m_run.acceptor.local_endpoint(), [self = shared_from_this()](error_code error) {
      if (error) {
        return;
      }
      std::make_shared<Server>(self->m_run)->accept();
      self->m_stream.socket().set_option(tcp::no_delay(true));
      self->m_stream.socket().set_option(tcp::socket::linger(true, 0));
      self->write();
    });
  }

private:
  void write() {
    m_request = make_request();
    begin();
    http::async_write(m_stream, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->read();
      }
    });
  }

  void read() {
    m_response = {};
    begin();
    http::async_read(m_stream, m_buffer, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || !is_answer(self->m_response)) {
        return;
      }
      if (++self->m_run.answered < k_requests) {
        self->write();
      } else {
        self->m_stream.close();
      }
    });
  }

  http::request<http::empty_body> m_request;
  http::response<http::string_body> m_response;
};

void run_requests(benchmark::State& state, bool has_deadlines) {
  boost::asio::io_context context{1};
  tcp::acceptor acceptor(context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0));
  measure_after_first_use(state, [&]() -> const char* {
    Run run{.context = context, .acceptor = acceptor, .has_deadlines = has_deadlines};
    std::make_shared<Client>(run)->connect();
    context.restart();
    context.run();
    return run.answered == k_requests && run.ended_servers == 1 ? nullptr : "answers are missing";
  });
}

void without_deadline(benchmark::State& state) {
  run_requests(state, false);
}

void with_deadline(benchmark::State& state) {
  run_requests(state, true);
}

ALLOCGATE_WORKLOAD(without_deadline, "beast/1000_reqs_1_conn/tcp_stream",
                   (beast_row("the same over tcp_stream, which can have deadlines, against a socket")));
ALLOCGATE_WORKLOAD(with_deadline, "beast/1000_reqs_1_conn/deadline",
                   (beast_row("the same with a deadline for each read and write, against tcp_stream without")));

}  // namespace

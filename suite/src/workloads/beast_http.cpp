// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/1000_reqs_1_conn: an HTTP/1.1 client sends 1000 GET requests over one keep-alive connection, a server in the
// same thread answers each with 100 bytes and four headers. It models a small service behind a proxy.
//
// An iteration is everything: io_context, acceptor, connect, accept, the requests, and the end of both sides, all in
// one io_context::run(). Each request makes and parses its messages anew, as a server does: header fields (one
// allocation each), the target's, the bodies' and the headers' strings, the serializers. The rest is set-up.
//
// counts per iteration of beast/1000_reqs_1_conn: 20 021 allocations, 2 531 581 bytes (beast 1.81.0)

#include <allocgate/benchmark.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <boost/version.hpp>

#include <memory>
#include <string>
#include <utility>

namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::beast::error_code;

constexpr unsigned k_requests = 1000;
constexpr char k_target[] = "/allocation-test-1";
constexpr std::size_t k_body_size = 100;
constexpr int k_extra_headers = 3;
constexpr unsigned k_http_1_1 = 11;

// What the two sides have seen; the first failure is kept and ends the run.
struct Exchange {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned answered = 0;
  bool server_ended = false;
  const char* failure = nullptr;

  void fail(const char* why) {
    failure = failure != nullptr ? failure : why;
    context.stop();
  }
};

std::string body() {
  constexpr std::size_t k_letters = 26;
  std::string text;
  for (std::size_t index = 0; index < k_body_size; ++index) {
    text.push_back(static_cast<char>('a' + index % k_letters));
  }
  return text;
}

http::response<http::string_body> make_response() {
  http::response<http::string_body> response{http::status::ok, k_http_1_1};
  response.set(http::field::content_length, "100");
  for (int header = 0; header < k_extra_headers; ++header) {
    response.insert("X-Random-Extra-Header", std::to_string(header));
  }
  response.body() = body();
  return response;
}

http::request<http::empty_body> make_request() {
  http::request<http::empty_body> request{http::verb::get, k_target, k_http_1_1};
  request.set(http::field::host, "foo.com");
  return request;
}

class Server : public std::enable_shared_from_this<Server> {
public:
  Server(Exchange& exchange, tcp::socket socket) : m_exchange(exchange), m_socket(std::move(socket)) {
    m_socket.set_option(tcp::no_delay(true));
  }

  void read() {
    m_request = {};
    http::async_read(m_socket, m_buffer, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->m_exchange.server_ended = true;
      } else if (self->m_request.target() != k_target) {
        self->m_exchange.fail("the server did not receive the request");
      } else {
        self->write();
      }
    });
  }

private:
  void write() {
    m_response = make_response();
    http::async_write(m_socket, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->m_exchange.fail("the server could not write");
      } else {
        self->read();
      }
    });
  }

  Exchange& m_exchange;
  tcp::socket m_socket;
  boost::beast::flat_buffer m_buffer;
  http::request<http::string_body> m_request;
  http::response<http::string_body> m_response;
};

class Client : public std::enable_shared_from_this<Client> {
public:
  explicit Client(Exchange& exchange) : m_exchange(exchange), m_socket(exchange.context) {}

  void connect() {
    m_socket.async_connect(m_exchange.acceptor.local_endpoint(), [self = shared_from_this()](error_code error) {
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
    m_request = make_request();
    http::async_write(m_socket, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (error) {
        self->m_exchange.fail("the client could not write");
      } else {
        self->read();
      }
    });
  }

  void read() {
    m_response = {};
    http::async_read(m_socket, m_buffer, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (error || self->m_response.result() != http::status::ok || self->m_response.body().size() != k_body_size) {
        self->m_exchange.fail("the client did not receive the response");
      } else if (++self->m_exchange.answered < k_requests) {
        self->write();
      } else {
        self->m_socket.close();
        self->m_exchange.acceptor.close();
      }
    });
  }

  Exchange& m_exchange;
  tcp::socket m_socket;
  boost::beast::flat_buffer m_buffer;
  http::request<http::empty_body> m_request;
  http::response<http::string_body> m_response;
};

// Accepts until the client closes the acceptor, as a server does.
void accept(Exchange& exchange) {
  exchange.acceptor.async_accept([&exchange](error_code error, tcp::socket socket) {
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
  return exchange.answered == k_requests && exchange.server_ended ? nullptr : "answers are missing";
}

void http_requests(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    if (const char* failure = run_once()) {
      state.SkipWithError(failure);
      break;
    }
  }
}

std::string boost_version() {
  constexpr int k_major = BOOST_VERSION / 100000;
  constexpr int k_minor = BOOST_VERSION / 100 % 1000;
  constexpr int k_patch = BOOST_VERSION % 100;
  return std::to_string(k_major) + "." + std::to_string(k_minor) + "." + std::to_string(k_patch);
}

ALLOCGATE_WORKLOAD(http_requests, "beast/1000_reqs_1_conn",
                   {.core = "beast",
                    .core_version = boost_version(),
                    .exercises = "HTTP/1.1: 1000 GET requests over one keep-alive connection",
                    .iterations = 1,
                    .threads = 1,
                    .gate = allocgate::WorkloadGate::exact});

}  // namespace

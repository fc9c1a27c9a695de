// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/1000_reqs_1_conn/coroutines: what the callbacks do, as two coroutines. beast/1_reqs_1000_conn/coroutines: the
// same with a new connection, and a new coroutine on the server's side, for each request.
//
// A request costs one allocation more than with callbacks. The frames themselves stay: a coroutine is one frame for all
// the requests on its connection, and Asio keeps the blocks of the frames inside.
//
// counts per iteration of beast/1000_reqs_1_conn/coroutines: 21 020 allocations, 2 632 704 bytes (beast 1.81.0, gcc 12)
// counts per iteration of beast/1_reqs_1000_conn/coroutines: 28 013 allocations, 5 062 272 bytes (beast 1.81.0, gcc 12)

#include "workloads/beast/beast_description.hpp"
#include "workloads/beast/http_messages.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>

#include <utility>

namespace {

using namespace allocgate::suite;
namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;

constexpr unsigned k_many = 1000;

struct Exchange {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned answered = 0;
  unsigned served = 0;
};

// As many as come, so that no end of file is an exception, which would be an allocation.
asio::awaitable<void> serve(Exchange& exchange, unsigned requests) {
  tcp::socket socket = co_await exchange.acceptor.async_accept(asio::use_awaitable);
  socket.set_option(tcp::no_delay(true));
  boost::beast::flat_buffer buffer;
  for (unsigned request = 0; request < requests; ++request) {
    http::request<http::string_body> asked;
    co_await http::async_read(socket, buffer, asked, asio::use_awaitable);
    exchange.served += asked.target() == k_target ? 1 : 0;
    auto response = make_response();
    co_await http::async_write(socket, response, asio::use_awaitable);
  }
}

asio::awaitable<void> ask(Exchange& exchange, unsigned connections, unsigned requests) {
  for (unsigned connection = 0; connection < connections; ++connection) {
    tcp::socket socket(exchange.context);
    co_await socket.async_connect(exchange.acceptor.local_endpoint(), asio::use_awaitable);
    // Now, because which of connect and accept epoll tells first would depend on the load.
    asio::co_spawn(exchange.context, serve(exchange, requests), asio::detached);
    socket.set_option(tcp::no_delay(true));
    socket.set_option(tcp::socket::linger(true, 0));
    boost::beast::flat_buffer buffer;
    for (unsigned request = 0; request < requests; ++request) {
      auto asking = make_request();
      co_await http::async_write(socket, asking, asio::use_awaitable);
      http::response<http::string_body> response;
      co_await http::async_read(socket, buffer, response, asio::use_awaitable);
      exchange.answered += is_answer(response) ? 1 : 0;
    }
  }
}

const char* run_requests(Exchange& exchange, unsigned connections, unsigned requests) {
  exchange.answered = 0;
  exchange.served = 0;
  asio::co_spawn(exchange.context, ask(exchange, connections, requests), asio::detached);
  exchange.context.restart();
  exchange.context.run();
  const unsigned all = connections * requests;
  return exchange.answered == all && exchange.served == all ? nullptr : "answers are missing";
}

void many_requests(benchmark::State& state) {
  Exchange exchange;
  measure_after_first_use(state, [&] { return run_requests(exchange, 1, k_many); });
}

void many_connections(benchmark::State& state) {
  Exchange exchange;
  measure_after_first_use(state, [&] { return run_requests(exchange, k_many, 1); });
}

ALLOCGATE_WORKLOAD(many_requests, "beast/1000_reqs_1_conn/coroutines",
                   (in_layers(by_compiler(beast_row("the same as coroutines, against callbacks")),
                              both_ends_over("asio/ping_pong_1000_reqs_1_conn/coroutines"))));
ALLOCGATE_WORKLOAD(many_connections, "beast/1_reqs_1000_conn/coroutines",
                   (by_compiler(beast_row("the same as coroutines, against callbacks"))));

}  // namespace

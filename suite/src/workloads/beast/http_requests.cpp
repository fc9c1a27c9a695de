// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/1000_reqs_1_conn: an HTTP/1.1 client sends 1000 GET requests over one keep-alive connection, a server in the
// same thread answers each with 100 bytes and four headers. It models a small service behind a proxy.
//
// The server listens before the window. An iteration is a connection: connect, accept, the requests, and the end of
// both ends, all in one io_context::run(). Each request makes and parses its messages anew, as a server does: header
// fields (one allocation each), the target's, the bodies' and the headers' strings, the serializers. The rest is
// set-up.
//
// With run_one() in a loop handler blocks do not outlive one handler, so that four more a request are allocations. With
// recycling off, in a program that is built so, it is the same four.
//
// counts per iteration of beast/1000_reqs_1_conn: 20 013 allocations, 2 530 189 bytes (beast 1.81.0)
// counts per iteration of beast/1000_reqs_1_conn/run_one: 24 012 allocations, 4 129 805 bytes (beast 1.81.0)
// counts per iteration of beast/1000_reqs_1_conn/no_recycling: 24 011 allocations, 4 769 069 bytes (beast 1.81.0)
// counts per iteration of beast/1_reqs_1000_conn: 26 007 allocations, 4 772 944 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/beast/http_ends.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_many = 1000;

// One run of so many connections, one after another, with so many requests on each.
const char* run_requests(boost::asio::io_context& context, HttpServer& server, unsigned connections, unsigned requests,
                         bool one_by_one = false) {
  const unsigned ended = server.ended();
  HttpClient::Run run{.server = server, .requests = requests, .connections = connections};
  HttpClient::connect_next(context.get_executor(), run);
  context.restart();
  if (one_by_one) {
    while (context.run_one() != 0) {
    }
  } else {
    context.run();
  }
  if (server.failed()) {
    return "the server did not receive the request";
  }
  return run.answered == connections * requests && server.ended() == ended + connections ? nullptr
                                                                                         : "answers are missing";
}

void many_requests(benchmark::State& state) {
  boost::asio::io_context context{1};
  HttpServer server(context);
  measure_after_first_use(state, [&] { return run_requests(context, server, 1, k_many); });
}

#ifdef BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING
ALLOCGATE_WORKLOAD(many_requests, "beast/1000_reqs_1_conn/no_recycling",
                   (beast_row("the same with handler recycling off: what the recycling hides")));
#else
void run_one(benchmark::State& state) {
  boost::asio::io_context context{1};
  HttpServer server(context);
  measure_after_first_use(state, [&] { return run_requests(context, server, 1, k_many, true); });
}

void many_connections(benchmark::State& state) {
  boost::asio::io_context context{1};
  HttpServer server(context);
  measure_after_first_use(state, [&] { return run_requests(context, server, k_many, 1); });
}

ALLOCGATE_WORKLOAD(many_requests, "beast/1000_reqs_1_conn",
                   (in_layers(beast_row("HTTP/1.1: 1000 GET requests over one keep-alive connection"),
                              both_ends_over("asio/ping_pong_1000_reqs_1_conn"))));
ALLOCGATE_WORKLOAD(run_one, "beast/1000_reqs_1_conn/run_one",
                   (beast_row("the same with run_one() in a loop, against run(): blocks are kept for one run")));
ALLOCGATE_WORKLOAD(many_connections, "beast/1_reqs_1000_conn",
                   (in_layers(beast_row("HTTP/1.1: 1000 connections one after another, one GET request on each"),
                              both_ends_over("asio/1000_tcpconnections"))));
#endif

}  // namespace

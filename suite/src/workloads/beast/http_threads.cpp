// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/1000_reqs_1_conn/2_threads, beast/1_reqs_1000_conn/2_threads: the same as in one thread, with the server in a
// thread of its own. beast/8_conns_125_reqs: eight connections at the same time, 125 requests on each, in one thread;
// /4_threads: the same with four threads that run one io_context, and a strand for each connection.
//
// What a request costs is the same as in one thread. What handler blocks cost depends on which thread ran the handler
// before, because blocks are kept by threads. Threads end with the iteration, so that nothing they keep outlives it.
//
// counts per iteration of beast/8_conns_125_reqs: 20 090 allocations, 2 560 912 bytes (beast 1.81.0)
// counts per iteration of beast/1000_reqs_1_conn/2_threads: 20 000 to 20 100 allocations (beast 1.81.0)
// not exact: two threads; which of them gives back a block first is a matter of time
// counts per iteration of beast/1_reqs_1000_conn/2_threads: 26 000 to 32 000 allocations (beast 1.81.0)
// not exact: two threads; the end of a connection overlaps the start of the next one
// counts per iteration of beast/8_conns_125_reqs/4_threads: 20 000 to 22 000 allocations (beast 1.81.0)
// not exact: four threads keep blocks of their own, and any of them runs the next handler

#include "workloads/beast/beast_description.hpp"
#include "workloads/beast/http_ends.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/post.hpp>

#include <array>
#include <thread>

namespace {

using namespace allocgate::suite;
namespace asio = boost::asio;

constexpr unsigned k_many = 1000;
constexpr unsigned k_connections = 8;
constexpr unsigned k_requests = 125;

void two_threads(benchmark::State& state, unsigned connections, unsigned requests) {
  asio::io_context server_context{1};
  asio::io_context client_context{1};
  HttpServer server(server_context);
  const auto run_once = [&](unsigned at_the_same_time) -> const char* {
    const unsigned ended = server.ended();
    server.accept(true);
    server_context.restart();
    std::thread thread([&] { server_context.run(); });
    HttpClient::Run run{.server = server, .requests = requests, .connections = connections, .same_thread = false};
    for (unsigned client = 0; client < at_the_same_time; ++client) {
      HttpClient::connect_next(client_context.get_executor(), run);
    }
    client_context.restart();
    client_context.run();
    while (server.ended() != ended + connections) {
      std::this_thread::yield();
    }
    asio::post(server_context, [&] { server.stop_accepting(); });
    thread.join();
    return run.answered == connections * requests && !server.failed() ? nullptr : "answers are missing";
  };
  // The end of a connection may overlap the next one, and Asio keeps the descriptor states of as many as there ever
  // were at the same time.
  constexpr unsigned k_more_than_overlap = 8;
  run_once(k_more_than_overlap);
  measure(state, [&] { return run_once(1); });
}

void many_requests(benchmark::State& state) {
  two_threads(state, 1, k_many);
}

void many_connections(benchmark::State& state) {
  two_threads(state, k_many, 1);
}

// As many clients at the same time; each makes its one connection.
void start_clients(asio::io_context& context, HttpClient::Run& run, bool strands) {
  for (unsigned client = 0; client < k_connections; ++client) {
    if (strands) {
      std::make_shared<HttpClient>(asio::any_io_executor(asio::make_strand(context)), run)->connect();
    } else {
      std::make_shared<HttpClient>(context.get_executor(), run)->connect();
    }
  }
}

void one_thread(benchmark::State& state) {
  asio::io_context context{1};
  HttpServer server(context);
  measure_after_first_use(state, [&]() -> const char* {
    HttpClient::Run run{.server = server, .requests = k_requests};
    start_clients(context, run, false);
    context.restart();
    context.run();
    return run.answered == k_connections * k_requests && !server.failed() ? nullptr : "answers are missing";
  });
}

void four_threads(benchmark::State& state) {
  constexpr unsigned k_threads = 4;
  asio::io_context context{k_threads};
  HttpServer server(context, true);
  // Strands share 193 mutexes, of which one is made when its number first comes up, by the address of a strand.
  constexpr int k_enough_for_each_mutex = 5000;
  for (int strand = 0; strand < k_enough_for_each_mutex; ++strand) {
    asio::make_strand(context);
  }
  measure_after_first_use(state, [&]() -> const char* {
    const unsigned ended = server.ended();
    HttpClient::Run run{.server = server, .requests = k_requests, .same_thread = false};
    server.accept(true);
    start_clients(context, run, true);
    context.restart();
    std::array<std::thread, k_threads> threads;
    for (std::thread& thread : threads) {
      thread = std::thread([&context] { context.run(); });
    }
    while (server.ended() != ended + k_connections) {
      std::this_thread::yield();
    }
    asio::post(context, [&] { server.stop_accepting(); });
    for (std::thread& thread : threads) {
      thread.join();
    }
    return run.answered == k_connections * k_requests && !server.failed() ? nullptr : "answers are missing";
  });
}

ALLOCGATE_WORKLOAD(many_requests, "beast/1000_reqs_1_conn/2_threads",
                   (least_of(beast_row("the same with the server in a thread of its own"), 2)));
ALLOCGATE_WORKLOAD(many_connections, "beast/1_reqs_1000_conn/2_threads",
                   (least_of(beast_row("the same with the server in a thread of its own"), 2)));
ALLOCGATE_WORKLOAD(one_thread, "beast/8_conns_125_reqs",
                   (beast_row("HTTP/1.1: eight connections at the same time, 125 GET requests on each")));
ALLOCGATE_WORKLOAD(four_threads, "beast/8_conns_125_reqs/4_threads",
                   (least_of(beast_row("the same on four threads and strands, against one thread"), 4)));

}  // namespace

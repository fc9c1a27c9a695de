// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/ping_pong_1000_reqs_1_conn/2_threads: the same round trips with the server in a thread of its own. Each end
// recycles its handlers in its own run(), so the counts stay those of one thread, and those of a thread: it ends with
// the iteration, because a thread keeps blocks until its end.
//
// asio/ping_pong_1000_reqs_1_conn/deadline: the same with a deadline that is set anew for each answer. A read,
// a wait, and a wait that was taken back are under way together: four blocks more a connection, and none a read.
//
// counts per iteration of asio/ping_pong_1000_reqs_1_conn/deadline: 9 allocations, 1 888 bytes (asio 1.22.1)
// counts per iteration of asio/ping_pong_1000_reqs_1_conn/2_threads: 1 to 20 allocations (asio 1.22.1)
// not exact: two threads; the server may be late to take back a block before it needs the next one

#include "workloads/asio/asio_description.hpp"
#include "workloads/asio/ping_pong.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/post.hpp>

#include <thread>

namespace {

using namespace allocgate::suite;

void deadline(benchmark::State& state) {
  asio::io_context context{1};
  PongServer server(context);
  measure_after_first_use(state, [&] { return exchange_pings(context, server, true); });
}

void two_threads(benchmark::State& state) {
  asio::io_context server_context{1};
  asio::io_context client_context{1};
  PongServer server(server_context);
  measure_after_first_use(state, [&]() -> const char* {
    const unsigned ended = server.ended();
    unsigned round_trips = 0;
    server.accept(true);
    server_context.restart();
    std::thread thread([&] { server_context.run(); });
    std::make_shared<PingClient>(client_context, round_trips)->connect(server, false);
    client_context.restart();
    client_context.run();
    while (server.ended() == ended) {
      std::this_thread::yield();
    }
    asio::post(server_context, [&] { server.stop_accepting(); });
    thread.join();
    return round_trips == k_round_trips && !server.failed() ? nullptr : "round trips are missing";
  });
}

ALLOCGATE_WORKLOAD(deadline, "asio/ping_pong_1000_reqs_1_conn/deadline",
                   (asio_row("the same with a deadline for each answer: what a timer a read costs")));
ALLOCGATE_WORKLOAD(two_threads, "asio/ping_pong_1000_reqs_1_conn/2_threads",
                   (least_of(asio_row("the same with the server in a thread of its own"), 2)));

}  // namespace

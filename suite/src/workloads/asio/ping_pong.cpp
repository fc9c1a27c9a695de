// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/ping_pong_1000_reqs_1_conn: a client sends one byte over TCP, a server in the same thread answers with one byte,
// 1000 times over one connection. It models the read and write path of any TCP protocol, without a protocol.
//
// The server listens before the window. An iteration is a connection: connect, accept, the round trips, and the end of
// both sides, all in one io_context::run(). Handler memory is recycled inside run(), so a round trip allocates nothing;
// what is left is the two ends and three handler blocks, which are kept for one run().
//
// counts per iteration of asio/ping_pong_1000_reqs_1_conn: 5 allocations, 1 088 bytes (asio 1.22.1)

#include "workloads/asio/ping_pong.hpp"
#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

namespace {

using namespace allocgate::suite;

void ping_pong(benchmark::State& state) {
  asio::io_context context{1};
  PongServer server(context);
  measure_after_first_use(state, [&] { return exchange_pings(context, server); });
}

ALLOCGATE_WORKLOAD(ping_pong, "asio/ping_pong_1000_reqs_1_conn",
                   (asio_row("TCP: 1000 one-byte round trips over one connection")));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio_uring/ping_pong_1000_reqs_1_conn: the round trips of asio/ping_pong_1000_reqs_1_conn over Asio's io_uring
// backend instead of epoll. It shows what the choice of a backend costs in allocations.
//
// The server listens before the window; what is counted is the two ends and handler blocks, as there. Where io_uring is
// forbidden, as in many containers, the workload says so.
//
// counts per iteration of asio_uring/ping_pong_1000_reqs_1_conn: 5 to 8 allocations (asio 1.22.1)
// not exact: the kernel decides when it tells that an operation is done, and that decides which block is used again

#include "workloads/asio/ping_pong.hpp"
#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <exception>

namespace {

using namespace allocgate::suite;

void ping_pong(benchmark::State& state) {
  try {
    asio::io_context context{1};
    PongServer server(context);
    measure_after_first_use(state, [&] { return exchange_pings(context, server); });
  } catch (const std::exception&) {
    state.SkipWithError("io_uring is not permitted here");
  }
}

// Something outside decides, so it is shown and kept, and never judged.
allocgate::WorkloadDescription not_gated(allocgate::WorkloadDescription row) {
  row.gate = allocgate::WorkloadGate::none;
  return row;
}

ALLOCGATE_WORKLOAD(ping_pong, "asio_uring/ping_pong_1000_reqs_1_conn",
                   (not_gated(asio_row("TCP: 1000 one-byte round trips over io_uring, against epoll"))));

}  // namespace

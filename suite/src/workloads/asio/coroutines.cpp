// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/ping_pong_1000_reqs_1_conn/coroutines: the round trips of the callbacks, as two coroutines. A frame is made for
// each asynchronous operation that is awaited, and recycled like a handler; what is left is the frames of the two ends.
//
// asio/coroutine_chain_100_by_10: a coroutine awaits one that awaits one, ten deep, 100 times, and nothing waits for
// the outside. Each level is a frame, eleven with the innermost; the other three are what co_spawn makes to start one.
//
// asio/future_whenall_100_by_10: 100 times a group of ten operations that ends when all have. Each operation is one
// allocation, its posted function, and the group is one.
//
// counts per iteration of asio/ping_pong_1000_reqs_1_conn/coroutines: 16 allocations, 3 632 bytes (asio 1.22.1, gcc 12)
// counts per iteration of asio/coroutine_chain_100_by_10: 1 403 allocations, 173 232 bytes (asio 1.22.1, gcc 12)
// counts per iteration of asio/future_whenall_100_by_10: 1 102 allocations, 89 920 bytes (asio 1.22.1, gcc 12)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/awaitable.hpp>
#include <asio/co_spawn.hpp>
#include <asio/detached.hpp>
#include <asio/experimental/deferred.hpp>
#include <asio/experimental/parallel_group.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/post.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/write.hpp>

#include <array>
#include <cstddef>
#include <exception>
#include <utility>

namespace {

using namespace allocgate::suite;
using asio::ip::tcp;

constexpr unsigned k_round_trips = 1000;
constexpr int k_times = 100;
constexpr int k_depth = 10;
constexpr unsigned char k_byte = 0xbe;

struct Exchange {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned answered = 0;
  unsigned received = 0;
};

asio::awaitable<void> serve(Exchange& exchange) {
  tcp::socket socket = co_await exchange.acceptor.async_accept(asio::use_awaitable);
  socket.set_option(tcp::no_delay(true));
  std::array<unsigned char, 4> data{};
  // As many as come, so that no end of file is an exception, which would be an allocation.
  for (unsigned trip = 0; trip < k_round_trips; ++trip) {
    const std::size_t size = co_await socket.async_read_some(asio::buffer(data), asio::use_awaitable);
    exchange.received += size == 1 && data[0] == k_byte ? 1 : 0;
    co_await asio::async_write(socket, asio::buffer(&k_byte, 1), asio::use_awaitable);
  }
}

asio::awaitable<void> ask(Exchange& exchange) {
  tcp::socket socket(exchange.context);
  co_await socket.async_connect(exchange.acceptor.local_endpoint(), asio::use_awaitable);
  // Now, because which of connect and accept epoll tells first would depend on the load.
  asio::co_spawn(exchange.context, serve(exchange), asio::detached);
  socket.set_option(tcp::no_delay(true));
  socket.set_option(tcp::socket::linger(true, 0));
  std::array<unsigned char, 4> data{};
  for (unsigned trip = 0; trip < k_round_trips; ++trip) {
    co_await asio::async_write(socket, asio::buffer(&k_byte, 1), asio::use_awaitable);
    const std::size_t size = co_await socket.async_read_some(asio::buffer(data), asio::use_awaitable);
    exchange.answered += size == 1 && data[0] == k_byte ? 1 : 0;
  }
}

void ping_pong(benchmark::State& state) {
  Exchange exchange;
  measure_after_first_use(state, [&]() -> const char* {
    exchange.answered = 0;
    exchange.received = 0;
    asio::co_spawn(exchange.context, ask(exchange), asio::detached);
    exchange.context.restart();
    exchange.context.run();
    return exchange.answered == k_round_trips && exchange.received == k_round_trips ? nullptr
                                                                                    : "round trips are missing";
  });
}

asio::awaitable<int> chain(int depth) {
  if (depth == 0) {
    co_return 0;
  }
  co_return 1 + co_await chain(depth - 1);
}

const char* run_chains() {
  asio::io_context context{1};
  int sum = 0;
  for (int time = 0; time < k_times; ++time) {
    asio::co_spawn(context, chain(k_depth), [&sum](const std::exception_ptr& /*error*/, int depth) { sum += depth; });
  }
  context.run();
  return sum == k_times * k_depth ? nullptr : "a chain did not end";
}

void coroutine_chain(benchmark::State& state) {
  measure(state, run_chains);
}

template <std::size_t... Operations>
void start_group(asio::io_context& context, unsigned& ended, std::index_sequence<Operations...> /*operations*/) {
  const auto operation = [&context](std::size_t /*which*/) {
    return asio::post(context, asio::experimental::deferred);
  };
  asio::experimental::make_parallel_group(operation(Operations)...)
      .async_wait(asio::experimental::wait_for_all(),
                  [&ended](const std::array<std::size_t, sizeof...(Operations)>& order) {
                    ended += static_cast<unsigned>(order.size());
                  });
}

const char* run_groups() {
  asio::io_context context{1};
  unsigned ended = 0;
  for (int time = 0; time < k_times; ++time) {
    start_group(context, ended, std::make_index_sequence<k_depth>());
  }
  context.run();
  return ended == k_times * k_depth ? nullptr : "an operation did not end";
}

void when_all(benchmark::State& state) {
  measure(state, run_groups);
}

ALLOCGATE_WORKLOAD(ping_pong, "asio/ping_pong_1000_reqs_1_conn/coroutines",
                   (by_compiler(asio_row("the same as two coroutines, against callbacks: the frames"))));
ALLOCGATE_WORKLOAD(coroutine_chain, "asio/coroutine_chain_100_by_10",
                   (by_compiler(asio_row("coroutines: frames ten deep, 100 times"))));
ALLOCGATE_WORKLOAD(when_all, "asio/future_whenall_100_by_10",
                   (by_compiler(asio_row("parallel_group: ten operations that end together, 100 times"))));

}  // namespace

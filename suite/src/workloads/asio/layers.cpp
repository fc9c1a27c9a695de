// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/add_remove_1000_stages: a stage that buffers is put before a socket and taken away again, 1000 times, with one
// message through each. It models a protocol that changes on a connection, as STARTTLS or an upgrade do.
//
// A stage is its two buffers, of 1 KiB each; a message through it allocates nothing.
//
// counts per iteration of asio/add_remove_1000_stages: 2 000 allocations, 2 048 000 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/buffered_stream.hpp>
#include <asio/io_context.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>

#include <array>

namespace {

using Socket = asio::local::stream_protocol::socket;

constexpr unsigned k_stages = 1000;
constexpr std::size_t k_message_size = 64;

void stages(benchmark::State& state) {
  asio::io_context context{1};
  Socket near(context);
  Socket far(context);
  asio::local::connect_pair(near, far);
  std::array<char, k_message_size> message{};
  std::array<char, k_message_size> received{};
  message.fill('m');
  allocgate::suite::measure(state, [&]() -> const char* {
    for (unsigned stage = 0; stage < k_stages; ++stage) {
      asio::buffered_stream<Socket&> buffered(near);
      asio::write(buffered, asio::buffer(message));
      buffered.flush();
      asio::read(far, asio::buffer(received));
      if (received != message) {
        return "the message did not come through the stage";
      }
      received.fill(0);
    }
    return nullptr;
  });
}

ALLOCGATE_WORKLOAD(stages, "asio/add_remove_1000_stages",
                   (allocgate::suite::asio_row("a pipeline: a buffering stage added and removed 1000 times")));

}  // namespace

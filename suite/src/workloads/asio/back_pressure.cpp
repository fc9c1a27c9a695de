// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/back_pressure_1_mib: a producer writes 1 MiB in pieces of 16 KiB to a socket that holds less, a consumer in the
// same thread takes 4 KiB at a time; the producer makes the next piece when the one before is written. It models a
// download to a slow client.
//
// The sockets' buffer is set, so that the machine's own setting does not decide how often the producer must wait. A
// piece allocates nothing: one buffer stays, and handlers are recycled in two blocks. A producer that does not wait
// keeps all 64 pieces, in as many allocations.
//
// counts per iteration of asio/back_pressure_1_mib: 2 allocations, 384 bytes (asio 1.22.1)
// counts per iteration of asio/back_pressure_1_mib/without: 66 allocations, 1 048 960 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/io_context.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/write.hpp>

#include <array>
#include <vector>

namespace {

using namespace allocgate::suite;
using Socket = asio::local::stream_protocol::socket;

constexpr std::size_t k_piece = 16384;
constexpr std::size_t k_pieces = 64;
constexpr std::size_t k_taken_at_once = 4096;
constexpr int k_socket_buffer = 32768;

class Stream {
public:
  explicit Stream(bool waits) : m_waits(waits) {
    asio::local::connect_pair(m_producer, m_consumer);
    m_producer.set_option(Socket::send_buffer_size(k_socket_buffer));
  }

  const char* run() {
    m_produced = 0;
    m_consumed = 0;
    if (m_waits) {
      produce();
    } else {
      m_waiting.assign(k_pieces, m_piece);
      write_waiting();
    }
    consume();
    m_context.restart();
    m_context.run();
    return m_consumed == k_piece * k_pieces ? nullptr : "bytes are missing";
  }

private:
  void produce() {
    ++m_produced;
    asio::async_write(m_producer, asio::buffer(m_piece), [this](std::error_code error, std::size_t /*size*/) {
      if (!error && m_produced < k_pieces) {
        produce();
      }
    });
  }

  void write_waiting() {
    asio::async_write(m_producer, asio::buffer(m_waiting.at(m_produced)), [this](std::error_code error, std::size_t) {
      if (!error && ++m_produced < k_pieces) {
        write_waiting();
      } else {
        m_waiting = {};
      }
    });
  }

  void consume() {
    m_consumer.async_read_some(asio::buffer(m_taken), [this](std::error_code error, std::size_t size) {
      m_consumed += size;
      if (!error && m_consumed < k_piece * k_pieces) {
        consume();
      }
    });
  }

  bool m_waits;
  asio::io_context m_context{1};
  Socket m_producer{m_context};
  Socket m_consumer{m_context};
  std::vector<char> m_piece = std::vector<char>(k_piece, 'x');
  std::vector<std::vector<char>> m_waiting;
  std::array<char, k_taken_at_once> m_taken{};
  std::size_t m_produced = 0;
  std::size_t m_consumed = 0;
};

void back_pressure(benchmark::State& state) {
  Stream stream(true);
  measure_after_first_use(state, [&] { return stream.run(); });
}

void without(benchmark::State& state) {
  Stream stream(false);
  measure_after_first_use(state, [&] { return stream.run(); });
}

ALLOCGATE_WORKLOAD(back_pressure, "asio/back_pressure_1_mib",
                   (asio_row("a producer that waits for a slow consumer, 64 pieces of 16 KiB")));
ALLOCGATE_WORKLOAD(without, "asio/back_pressure_1_mib/without",
                   (asio_row("the same without waiting: every piece is in memory at once")));

}  // namespace

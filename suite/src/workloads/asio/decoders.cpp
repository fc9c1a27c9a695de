// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/byte_to_message_1000_lines: 1000 lines arrive over a socket pair and are taken one by one with async_read_until.
// It models SMTP, IRC, Redis. asio/byte_to_message_1000_length_prefixed: 1000 messages, each after its length in four
// bytes, with two reads a message. It models most binary protocols.
//
// The bytes are written before the loop runs and lie in the socket, fewer than its buffer holds. A message allocates
// nothing: handlers are recycled in one block and the buffers have their size. With a new buffer for each message each
// is one.
//
// counts per iteration of asio/byte_to_message_1000_lines: 1 allocations, 256 bytes (asio 1.22.1)
// counts per iteration of asio/byte_to_message_1000_length_prefixed: 1 allocations, 208 bytes (asio 1.22.1)
// counts per iteration of asio/byte_to_message_1000_length_prefixed/anew: 1 001 allocations, 32 208 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read.hpp>
#include <asio/read_until.hpp>
#include <asio/write.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace allocgate::suite;
using Socket = asio::local::stream_protocol::socket;

constexpr unsigned k_messages = 1000;
constexpr unsigned char k_message_size = 32;
constexpr char k_line[] = "a line that is longer than a short string\r\n";

// A pair of sockets with the bytes in it.
struct Wire {
  explicit Wire(std::string bytes_to_send) : bytes(std::move(bytes_to_send)) {
    asio::local::connect_pair(sender, receiver);
    sender.non_blocking(true);
  }
  // Whether the socket's buffer holds them all.
  bool send() {
    std::error_code error;
    return sender.write_some(asio::buffer(bytes), error) == bytes.size();
  }

  asio::io_context context{1};
  Socket sender{context};
  Socket receiver{context};
  std::string bytes;
};

class LineDecoder {
public:
  explicit LineDecoder(Wire& wire) : m_wire(wire) { m_buffer.reserve(wire.bytes.size()); }

  const char* run() {
    m_lines = 0;
    if (!m_wire.send()) {
      return "the socket does not hold the lines";
    }
    read();
    m_wire.context.restart();
    m_wire.context.run();
    return m_lines == k_messages && m_buffer.empty() ? nullptr : "lines are missing";
  }

private:
  void read() {
    asio::async_read_until(m_wire.receiver, asio::dynamic_buffer(m_buffer), "\r\n",
                           [this](std::error_code error, std::size_t size) {
                             if (!error && m_buffer.compare(0, size, k_line) == 0) {
                               m_buffer.erase(0, size);
                               if (++m_lines < k_messages) {
                                 read();
                               }
                             }
                           });
  }

  Wire& m_wire;
  std::string m_buffer;
  unsigned m_lines = 0;
};

class LengthDecoder {
public:
  LengthDecoder(Wire& wire, bool own_buffers) : m_wire(wire), m_own_buffers(own_buffers) {}

  const char* run() {
    m_messages = 0;
    if (!m_wire.send()) {
      return "the socket does not hold the messages";
    }
    read_length();
    m_wire.context.restart();
    m_wire.context.run();
    return m_messages == k_messages ? nullptr : "messages are missing";
  }

private:
  void read_length() {
    asio::async_read(m_wire.receiver, asio::buffer(m_length), [this](std::error_code error, std::size_t /*size*/) {
      if (!error) {
        if (m_own_buffers) {
          m_message = std::vector<char>();
        }
        m_message.resize(m_length.back());
        read_message();
      }
    });
  }

  void read_message() {
    asio::async_read(m_wire.receiver, asio::buffer(m_message), [this](std::error_code error, std::size_t size) {
      if (!error && size == k_message_size && ++m_messages < k_messages) {
        read_length();
      }
    });
  }

  Wire& m_wire;
  bool m_own_buffers;
  std::array<unsigned char, 4> m_length{};
  std::vector<char> m_message;
  unsigned m_messages = 0;
};

std::string lines() {
  std::string bytes;
  for (unsigned line = 0; line < k_messages; ++line) {
    bytes += k_line;
  }
  return bytes;
}

std::string length_prefixed() {
  std::string bytes;
  for (unsigned message = 0; message < k_messages; ++message) {
    bytes += std::string{0, 0, 0, static_cast<char>(k_message_size)} + std::string(k_message_size, 'x');
  }
  return bytes;
}

void decode_lines(benchmark::State& state) {
  Wire wire(lines());
  LineDecoder decoder(wire);
  measure_after_first_use(state, [&] { return decoder.run(); });
}

void decode_messages(benchmark::State& state) {
  Wire wire(length_prefixed());
  LengthDecoder decoder(wire, false);
  measure_after_first_use(state, [&] { return decoder.run(); });
}

void own_buffers(benchmark::State& state) {
  Wire wire(length_prefixed());
  LengthDecoder decoder(wire, true);
  measure_after_first_use(state, [&] { return decoder.run(); });
}

ALLOCGATE_WORKLOAD(decode_lines, "asio/byte_to_message_1000_lines", (asio_row("a decoder: lines, read_until")));
ALLOCGATE_WORKLOAD(decode_messages, "asio/byte_to_message_1000_length_prefixed",
                   (asio_row("a decoder: a length, then as many bytes")));
ALLOCGATE_WORKLOAD(own_buffers, "asio/byte_to_message_1000_length_prefixed/anew",
                   (asio_row("the same with a new buffer for each message, against one that stays")));

}  // namespace

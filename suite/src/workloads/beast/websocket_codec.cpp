// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The WebSocket codec alone, in memory and without asynchronous operations: beast/encode_1000_ws_frames writes 1000
// masked messages of 1 KiB as a client, /server the same without a mask; beast/decode_1000_ws_frames reads 1000 empty
// messages as a server, /1_kib messages of 1 KiB. The streams are made before the window and keep their buffers, so
// that a message allocates nothing: here any allocation is a regression. What is left is the reader's own buffer.
//
// counts per iteration of beast/encode_1000_ws_frames: 0 allocations, 0 bytes (beast 1.81.0)
// counts per iteration of beast/encode_1000_ws_frames/server: 0 allocations, 0 bytes (beast 1.81.0)
// counts per iteration of beast/decode_1000_ws_frames: 1 allocations, 1 536 bytes (beast 1.81.0)
// counts per iteration of beast/decode_1000_ws_frames/1_kib: 1 allocations, 1 536 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/websocket_frame.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/beast/_experimental/test/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket/stream.hpp>

#include <string>
#include <utility>

namespace {

using namespace allocgate::suite;
namespace asio = boost::asio;
namespace websocket = boost::beast::websocket;
using boost::beast::error_code;

constexpr unsigned k_frames = 1000;
constexpr std::size_t k_payload = 1024;

// A client and a server in memory, after their handshake.
struct MemoryPair {
  using Stream = websocket::stream<boost::beast::test::stream>;

  MemoryPair() {
    client.next_layer().connect(server.next_layer());
    server.async_accept([](error_code /*error*/) {});
    client.async_handshake("foo.com", "/ws", [this](error_code error) { connected = !error; });
    context.run();
    for (Stream* end : {&client, &server}) {
      end->binary(true);
      end->auto_fragment(false);
    }
  }

  asio::io_context context{1};
  Stream client{context};
  Stream server{context};
  bool connected = false;
};

const char* encode(MemoryPair::Stream& from, MemoryPair::Stream& to) {
  static const std::array<char, k_payload> payload{};
  for (unsigned frame = 0; frame < k_frames; ++frame) {
    error_code error;
    if (from.write(asio::buffer(payload), error) != k_payload || error) {
      return "a message was not written";
    }
    to.next_layer().clear();
  }
  return nullptr;
}

const char* decode(MemoryPair::Stream& stream, const std::string& frame, std::size_t payload) {
  boost::beast::flat_buffer buffer;
  for (unsigned count = 0; count < k_frames; ++count) {
    stream.next_layer().append(boost::beast::string_view(frame.data(), frame.size()));
    error_code error;
    stream.read(buffer, error);
    if (error || buffer.size() != payload) {
      return "a message was not read";
    }
    buffer.consume(buffer.size());
  }
  return nullptr;
}

void encode_masked(benchmark::State& state) {
  MemoryPair pair;
  measure_after_first_use(state, [&] { return encode(pair.client, pair.server); });
}

void encode_plain(benchmark::State& state) {
  MemoryPair pair;
  measure_after_first_use(state, [&] { return encode(pair.server, pair.client); });
}

void decode_empty(benchmark::State& state) {
  MemoryPair pair;
  const std::string frame = masked_frame(0);
  measure_after_first_use(state, [&] { return decode(pair.server, frame, 0); });
}

void decode_1_kib(benchmark::State& state) {
  MemoryPair pair;
  const std::string frame = masked_frame(k_payload);
  measure_after_first_use(state, [&] { return decode(pair.server, frame, k_payload); });
}

ALLOCGATE_WORKLOAD(encode_masked, "beast/encode_1000_ws_frames",
                   (beast_row("the WebSocket codec alone: 1000 masked messages of 1 KiB written")));
ALLOCGATE_WORKLOAD(encode_plain, "beast/encode_1000_ws_frames/server",
                   (beast_row("the same without a mask, as a server: the mask costs no allocation")));
ALLOCGATE_WORKLOAD(decode_empty, "beast/decode_1000_ws_frames",
                   (beast_row("the WebSocket codec alone: 1000 empty messages read")));
ALLOCGATE_WORKLOAD(decode_1_kib, "beast/decode_1000_ws_frames/1_kib",
                   (beast_row("the same with messages of 1 KiB, against empty ones")));

}  // namespace

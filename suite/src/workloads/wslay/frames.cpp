// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The WebSocket codec alone. wslay/encode_1000_ws_frames: a client sends 1000 masked messages of 1 KiB: wslay queues
// each and makes three allocations for it, of which one is the copy of the message. wslay/encode_1000_ws_frames/server:
// the same without a mask. wslay/decode_1000_ws_frames: a server receives 1000 empty messages; what it keeps of one is
// used again for the next. wslay/decode_1000_ws_frames/1_kib: messages of 1 KiB, for which it makes a list of chunks:
// four allocations, the payload twice.
//
// The context is made in the iteration.
//
// counts per iteration of wslay/encode_1000_ws_frames: 3 006 allocations, 1 088 696 bytes (wslay 1.1.1)
// counts per iteration of wslay/encode_1000_ws_frames/server: 3 006 allocations, 1 088 696 bytes (wslay 1.1.1)
// counts per iteration of wslay/decode_1000_ws_frames: 6 allocations, 8 696 bytes (wslay 1.1.1)
// counts per iteration of wslay/decode_1000_ws_frames/1_kib: 4 006 allocations, 2 088 696 bytes (wslay 1.1.1)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"
#include "workloads/common/websocket_frame.hpp"

#include <allocgate/benchmark.hpp>

#include <wslay/wslay.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_frames = 1000;
constexpr std::size_t k_payload = 1024;

// What one end reads, has sent, and was told.
struct Wire {
  std::string input;
  std::size_t read = 0;
  std::size_t sent = 0;
  unsigned messages = 0;
  std::size_t payload = 0;
};

ssize_t receive(wslay_event_context* context, std::uint8_t* buffer, std::size_t size, int /*flags*/, void* self) {
  auto& wire = *static_cast<Wire*>(self);
  const std::size_t taken = std::min(size, wire.input.size() - wire.read);
  if (taken == 0) {
    wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK);
    return -1;
  }
  std::memcpy(buffer, wire.input.data() + wire.read, taken);
  wire.read += taken;
  return static_cast<ssize_t>(taken);
}

wslay_event_callbacks callbacks() {
  wslay_event_callbacks all = {};
  all.recv_callback = receive;
  all.send_callback = [](wslay_event_context* /*context*/, const std::uint8_t* /*data*/, std::size_t size,
                         int /*flags*/, void* self) {
    static_cast<Wire*>(self)->sent += size;
    return static_cast<ssize_t>(size);
  };
  all.genmask_callback = [](wslay_event_context* /*context*/, std::uint8_t* mask, std::size_t size, void* /*self*/) {
    constexpr int k_mask = 7;
    std::memset(mask, k_mask, size);
    return 0;
  };
  all.on_msg_recv_callback = [](wslay_event_context* /*context*/, const wslay_event_on_msg_recv_arg* message,
                                void* self) {
    ++static_cast<Wire*>(self)->messages;
    static_cast<Wire*>(self)->payload += message->msg_length;
  };
  return all;
}

const char* encode(bool masked) {
  Wire wire;
  const wslay_event_callbacks functions = callbacks();
  wslay_event_context* context = nullptr;
  if ((masked ? wslay_event_context_client_init : wslay_event_context_server_init)(&context, &functions, &wire) != 0) {
    return "no context";
  }
  const std::array<std::uint8_t, k_payload> payload{};
  for (unsigned frame = 0; frame < k_frames; ++frame) {
    const wslay_event_msg message = {WSLAY_BINARY_FRAME, payload.data(), payload.size()};
    wslay_event_queue_msg(context, &message);
    wslay_event_send(context);
  }
  wslay_event_context_free(context);
  const std::size_t header = masked ? 8 : 4;
  return wire.sent == k_frames * (k_payload + header) ? nullptr : "frames are missing";
}

const char* decode(Wire& wire, std::size_t payload) {
  wire.read = 0;
  wire.messages = 0;
  wire.payload = 0;
  const wslay_event_callbacks functions = callbacks();
  wslay_event_context* context = nullptr;
  if (wslay_event_context_server_init(&context, &functions, &wire) != 0) {
    return "no context";
  }
  wslay_event_recv(context);
  wslay_event_context_free(context);
  return wire.messages == k_frames && wire.payload == k_frames * payload ? nullptr : "messages are missing";
}

// As many masked frames as one end reads.
std::string masked_frames(std::size_t payload) {
  const std::string frame = masked_frame(payload);
  std::string all;
  for (unsigned count = 0; count < k_frames; ++count) {
    all += frame;
  }
  return all;
}

allocgate::WorkloadDescription wslay_row(std::string exercises) {
  return exact("wslay", package_version({"libwslay1", "libwslay1t64"}, WSLAY_VERSION), std::move(exercises));
}

void encode_masked(benchmark::State& state) {
  measure(state, [] { return encode(true); });
}

void encode_plain(benchmark::State& state) {
  measure(state, [] { return encode(false); });
}

void decode_empty(benchmark::State& state) {
  Wire wire{.input = masked_frames(0)};
  measure(state, [&] { return decode(wire, 0); });
}

void decode_1_kib(benchmark::State& state) {
  Wire wire{.input = masked_frames(k_payload)};
  measure(state, [&] { return decode(wire, k_payload); });
}

ALLOCGATE_WORKLOAD(encode_masked, "wslay/encode_1000_ws_frames",
                   (wslay_row("the WebSocket codec alone: 1000 masked messages of 1 KiB written")));
ALLOCGATE_WORKLOAD(encode_plain, "wslay/encode_1000_ws_frames/server",
                   (wslay_row("the same without a mask, as a server: the mask costs no allocation")));
ALLOCGATE_WORKLOAD(decode_empty, "wslay/decode_1000_ws_frames",
                   (wslay_row("the WebSocket codec alone: 1000 empty messages read")));
ALLOCGATE_WORKLOAD(decode_1_kib, "wslay/decode_1000_ws_frames/1_kib",
                   (wslay_row("the same with messages of 1 KiB, against empty ones")));

}  // namespace

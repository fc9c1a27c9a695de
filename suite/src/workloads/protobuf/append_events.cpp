// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// protobuf/append_events/N/SIZE: a request to append N events with SIZE bytes of data each is made and encoded, as a
// client of an event store does. An event is its message, the strings in it, and its map of one entry; the encoded
// request is one string, whose size is known before it is written. Pointers to events are in an array that doubles.
//
// counts per iteration of protobuf/append_events/1/0: 16 allocations, 720 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/100/0: 1 111 allocations, 62 829 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/1000/0: 11 014 allocations, 623 465 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/1/1024: 17 allocations, 2 773 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/100/1024: 1 211 allocations, 268 129 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/1000/1024: 12 014 allocations, 2 676 465 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/1/65536: 17 allocations, 131 799 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/100/65536: 1 211 allocations, 13 170 729 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events/1000/65536: 12 014 allocations, 131 702 465 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/append_events_arena/100/1024: 614 allocations, 283 153 bytes (protobuf 3.21.12)

#include "workloads/common/measure.hpp"
#include "workloads/protobuf/events.hpp"

#include <allocgate/benchmark.hpp>

#include <google/protobuf/arena.h>

#include <string>

namespace {

using namespace allocgate::suite;
using google::protobuf::Arena;

const char* encode(allocgate::messages::AppendRequest& request, std::int64_t events, std::size_t data_size) {
  request.set_stream("orders-of-a-customer");
  for (std::int64_t event = 0; event < events; ++event) {
    fill(*request.add_events(), data_size);
  }
  std::string encoded;
  if (!request.SerializeToString(&encoded)) {
    return "the request was not encoded";
  }
  return encoded.size() > static_cast<std::size_t>(events) * data_size ? nullptr : "bytes are missing";
}

void append_events(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const auto data_size = static_cast<std::size_t>(state.range(1));
  measure_after_first_use(state, [&] {
    allocgate::messages::AppendRequest request;
    return encode(request, events, data_size);
  });
}

void append_events_arena(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const auto data_size = static_cast<std::size_t>(state.range(1));
  measure_after_first_use(state, [&] {
    Arena arena;
    return encode(*Arena::CreateMessage<allocgate::messages::AppendRequest>(&arena), events, data_size);
  });
}

ALLOCGATE_WORKLOAD(append_events, "protobuf/append_events",
                   (protobuf_row("encoding: a request with N events of SIZE bytes")))
    ->ArgsProduct({{1, 100, 1000}, {0, 1024, 65536}});
ALLOCGATE_WORKLOAD(append_events_arena, "protobuf/append_events_arena",
                   (protobuf_row("the same in an arena, against the heap: messages in blocks that double")))
    ->Args({100, 1024});

}  // namespace

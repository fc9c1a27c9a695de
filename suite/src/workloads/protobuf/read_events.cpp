// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// protobuf/read_events/N: an encoded response with N events of 1 KiB is decoded, as a client of an event store does. An
// event is its message, three strings with their texts, and its map of one entry. With one response that is decoded
// into ten times, memory of the time before is used, but for the entries of maps; in an arena messages are in blocks,
// and what is longer than a short string is not.
//
// protobuf/decode_1000_tasks: 1000 messages are decoded into a model of three fields, one string among them.
//
// counts per iteration of protobuf/read_events/1: 11 allocations, 1 534 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/read_events/100: 1 007 allocations, 153 832 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/read_events/1000: 10 010 allocations, 1 534 368 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/read_events_reused/100: 2 807 allocations, 246 532 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/read_events_arena/100: 411 allocations, 168 888 bytes (protobuf 3.21.12)
// counts per iteration of protobuf/decode_1000_tasks: 2 000 allocations, 70 000 bytes (protobuf 3.21.12)

#include "workloads/common/measure.hpp"
#include "workloads/protobuf/events.hpp"

#include <allocgate/benchmark.hpp>

#include <google/protobuf/arena.h>

#include <string>

namespace {

using namespace allocgate::suite;
using allocgate::messages::ReadResponse;
using google::protobuf::Arena;

constexpr std::size_t k_data_size = 1024;

std::string encoded_response(std::int64_t events) {
  ReadResponse response;
  for (std::int64_t event = 0; event < events; ++event) {
    fill(*response.add_events(), k_data_size);
  }
  return response.SerializeAsString();
}

const char* decode(ReadResponse& response, const std::string& encoded, std::int64_t events) {
  if (!response.ParseFromString(encoded) || response.events_size() != events) {
    return "events are missing";
  }
  return response.events(0).data().size() == k_data_size ? nullptr : "data is missing";
}

void read_events(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::string encoded = encoded_response(events);
  measure_after_first_use(state, [&] {
    ReadResponse response;
    return decode(response, encoded, events);
  });
}

void read_events_reused(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::string encoded = encoded_response(events);
  measure_after_first_use(state, [&]() -> const char* {
    constexpr int k_times = 10;
    ReadResponse response;
    for (int time = 0; time < k_times; ++time) {
      if (const char* failure = decode(response, encoded, events)) {
        return failure;
      }
    }
    return nullptr;
  });
}

void read_events_arena(benchmark::State& state) {
  const std::int64_t events = state.range(0);
  const std::string encoded = encoded_response(events);
  measure_after_first_use(state, [&] {
    Arena arena;
    return decode(*Arena::CreateMessage<ReadResponse>(&arena), encoded, events);
  });
}

void decode_tasks(benchmark::State& state) {
  constexpr int k_tasks = 1000;
  constexpr int k_id_of_task = 7;
  allocgate::messages::Task task;
  task.set_id(k_id_of_task);
  task.set_title("a task with a title that is not short");
  task.set_done(true);
  const std::string encoded = task.SerializeAsString();
  measure_after_first_use(state, [&]() -> const char* {
    for (int time = 0; time < k_tasks; ++time) {
      allocgate::messages::Task decoded;
      if (!decoded.ParseFromString(encoded) || decoded.id() != k_id_of_task || !decoded.done()) {
        return "a task was not decoded";
      }
    }
    return nullptr;
  });
}

ALLOCGATE_WORKLOAD(read_events, "protobuf/read_events", (protobuf_row("decoding: a response with N events of 1 KiB")))
    ->Arg(1)
    ->Arg(100)
    ->Arg(1000);
ALLOCGATE_WORKLOAD(read_events_reused, "protobuf/read_events_reused",
                   (protobuf_row("the same ten times into one message, against a new one")))
    ->Arg(100);
ALLOCGATE_WORKLOAD(read_events_arena, "protobuf/read_events_arena",
                   (protobuf_row("the same in an arena, against the heap")))
    ->Arg(100);
ALLOCGATE_WORKLOAD(decode_tasks, "protobuf/decode_1000_tasks", (protobuf_row("decoding into a model of three fields")));

}  // namespace

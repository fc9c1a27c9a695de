// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/chat_100_messages_to_10: a message from one is written to each of ten, 100 times. It models a chat room, a
// ticker, any fan-out.
//
// Members are socket pairs made before the window. A message is made once and shared: two allocations, it and its text.
// Ten writes and ten reads are under way at the same time, of which Asio keeps two blocks, so 18 are allocations too.
// With a copy for each member there are ten messages more, each with its text.
//
// counts per iteration of asio/chat_100_messages_to_10: 2 002 allocations, 400 532 bytes (asio 1.22.1)
// counts per iteration of asio/chat_100_messages_to_10/copies: 4 002 allocations, 513 532 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/io_context.hpp>
#include <asio/local/connect_pair.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/read.hpp>
#include <asio/write.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace allocgate::suite;
using Socket = asio::local::stream_protocol::socket;

constexpr unsigned k_members = 10;
constexpr unsigned k_messages = 100;
constexpr std::size_t k_message_size = 64;

struct Member {
  explicit Member(asio::io_context& context) : room_end(context), own_end(context) {
    asio::local::connect_pair(room_end, own_end);
  }

  Socket room_end;
  Socket own_end;
  std::array<char, k_message_size> received{};
};

class Room {
public:
  explicit Room(bool copies) : m_copies(copies) {
    for (unsigned member = 0; member < k_members; ++member) {
      m_members.push_back(std::make_unique<Member>(m_context));
    }
  }

  const char* run() {
    m_received = 0;
    m_said = 0;
    say();
    m_context.restart();
    m_context.run();
    return m_received == k_members * k_messages ? nullptr : "messages are missing";
  }

private:
  // The next one is said when all have heard the one before.
  void say() {
    ++m_said;
    const auto shared = std::make_shared<const std::string>(k_message_size, 'm');
    for (const auto& member : m_members) {
      const auto message = m_copies ? std::make_shared<const std::string>(*shared) : shared;
      asio::async_write(member->room_end, asio::buffer(*message), [message](std::error_code, std::size_t) {});
      asio::async_read(member->own_end, asio::buffer(member->received), [this](std::error_code error, std::size_t) {
        m_received += error ? 0 : 1;
        if (m_received == m_said * k_members && m_said < k_messages) {
          say();
        }
      });
    }
  }

  bool m_copies;
  asio::io_context m_context{1};
  std::vector<std::unique_ptr<Member>> m_members;
  unsigned m_received = 0;
  unsigned m_said = 0;
};

void chat(benchmark::State& state) {
  Room room(false);
  measure_after_first_use(state, [&] { return room.run(); });
}

void copies(benchmark::State& state) {
  Room room(true);
  measure_after_first_use(state, [&] { return room.run(); });
}

ALLOCGATE_WORKLOAD(chat, "asio/chat_100_messages_to_10",
                   (asio_row("one to n: a shared message is written to ten connections")));
ALLOCGATE_WORKLOAD(copies, "asio/chat_100_messages_to_10/copies",
                   (asio_row("the same with a copy for each, against a shared message")));

}  // namespace

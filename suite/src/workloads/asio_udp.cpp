// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/udp_1000_reqs_1_conn: a client sends a datagram of 39 bytes, a server in the same thread sends it back, 1000
// times between the same two sockets. It models the datagram path of DNS, QUIC or metrics.
//
// An iteration is everything: io_context, both sockets, the round trips, and the end of both sides, in one
// io_context::run(). A round trip allocates nothing; what is left is the set-up of io_context and of two sockets.
// One datagram is under way at a time, so that no socket buffer can overflow.
//
// counts per iteration of asio/udp_1000_reqs_1_conn: 9 allocations, 1 496 bytes (asio 1.22.1)

#include "workloads/asio_description.hpp"

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <array>
#include <cstring>

namespace {

using asio::ip::udp;

constexpr unsigned k_round_trips = 1000;
constexpr char k_message[] = "Something to send there and back again.";
constexpr std::size_t k_message_size = sizeof(k_message) - 1;
constexpr std::size_t k_datagram_size = 2048;

// Both ends; the first failure is kept and ends the run.
class Echo {
public:
  // Null when every datagram came back whole.
  const char* run() {
    serve();
    send();
    m_context.run();
    if (m_failure != nullptr) {
      return m_failure;
    }
    return m_round_trips == k_round_trips && m_server_ended ? nullptr : "round trips are missing";
  }

private:
  void serve() {
    m_server.async_receive_from(asio::buffer(m_server_data), m_server_peer,
                                [this](std::error_code error, std::size_t size) {
                                  if (error) {
                                    m_server_ended = true;
                                  } else {
                                    answer(size);
                                  }
                                });
  }

  void answer(std::size_t size) {
    m_server.async_send_to(asio::buffer(m_server_data, size), m_server_peer,
                           [this](std::error_code error, std::size_t /*size*/) {
                             if (error) {
                               fail("the server could not send");
                             } else {
                               serve();
                             }
                           });
  }

  void send() {
    m_client.async_send_to(asio::buffer(k_message, k_message_size), m_server.local_endpoint(),
                           [this](std::error_code error, std::size_t /*size*/) {
                             if (error) {
                               fail("the client could not send");
                             } else {
                               receive();
                             }
                           });
  }

  void receive() {
    m_client.async_receive_from(
        asio::buffer(m_client_data), m_client_peer, [this](std::error_code error, std::size_t size) {
          if (error || size != k_message_size || std::memcmp(m_client_data.data(), k_message, k_message_size) != 0) {
            fail("the client did not receive its message");
          } else if (++m_round_trips < k_round_trips) {
            send();
          } else {
            m_client.close();
            m_server.close();
          }
        });
  }

  void fail(const char* why) {
    m_failure = m_failure != nullptr ? m_failure : why;
    m_context.stop();
  }

  asio::io_context m_context{1};
  udp::socket m_server{m_context, udp::endpoint(asio::ip::address_v4::loopback(), 0)};
  udp::socket m_client{m_context, udp::endpoint(asio::ip::address_v4::loopback(), 0)};
  udp::endpoint m_server_peer;
  udp::endpoint m_client_peer;
  std::array<char, k_datagram_size> m_server_data{};
  std::array<char, k_datagram_size> m_client_data{};
  unsigned m_round_trips = 0;
  bool m_server_ended = false;
  const char* m_failure = nullptr;
};

void udp_echo(benchmark::State& state) {
  for ([[maybe_unused]] auto iteration : state) {
    if (const char* failure = Echo().run()) {
      state.SkipWithError(failure);
      break;
    }
  }
}

ALLOCGATE_WORKLOAD(udp_echo, "asio/udp_1000_reqs_1_conn",
                   (allocgate::suite::asio_description("UDP: 1000 echoed datagrams between two sockets")));

}  // namespace

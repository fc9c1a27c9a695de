// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/udp_1000_reqs_1_conn: a client sends a datagram of 39 bytes, a server in the same thread sends it back, 1000
// times between the same two sockets. It models the datagram path of DNS, QUIC or metrics. A round trip allocates
// nothing; what is left is the set-up of io_context and of two sockets.
//
// asio/udp_1_reqs_1000_conn: the same with a new pair of sockets and a run() for each datagram. Handler blocks are kept
// for one run(), so each datagram is three of them; the state of a descriptor is kept for longer, in io_context.
//
// asio/1000_udpbootstraps: a socket is made, bound and closed 1000 times, and nothing is sent.
//
// An iteration is everything: io_context, the sockets, the round trips, and the end of both sides. One datagram is
// under way at a time, so that no socket buffer can overflow.
//
// counts per iteration of asio/udp_1000_reqs_1_conn: 9 allocations, 1 496 bytes (asio 1.22.1)
// counts per iteration of asio/udp_1_reqs_1000_conn: 3 006 allocations, 560 936 bytes (asio 1.22.1)
// counts per iteration of asio/1000_udpbootstraps: 5 allocations, 768 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/buffer.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/udp.hpp>

#include <array>
#include <cstring>

namespace {

using allocgate::suite::asio_row;
using asio::ip::udp;

constexpr unsigned k_datagrams = 1000;
constexpr char k_message[] = "Something to send there and back again.";
constexpr std::size_t k_message_size = sizeof(k_message) - 1;
constexpr std::size_t k_datagram_size = 2048;

// Both ends; the first failure is kept and ends the run.
class Echo {
public:
  Echo(asio::io_context& context, unsigned round_trips) : m_context(context), m_wanted(round_trips) {}

  // Null when every datagram came back whole.
  const char* run() {
    serve();
    send();
    m_context.restart();
    m_context.run();
    if (m_failure != nullptr) {
      return m_failure;
    }
    return m_round_trips == m_wanted && m_server_ended ? nullptr : "round trips are missing";
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
          } else if (++m_round_trips < m_wanted) {
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

  asio::io_context& m_context;
  unsigned m_wanted;
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

const char* echo_on_one_pair() {
  asio::io_context context{1};
  return Echo(context, k_datagrams).run();
}

const char* echo_on_many_pairs() {
  asio::io_context context{1};
  for (unsigned pair = 0; pair < k_datagrams; ++pair) {
    if (const char* failure = Echo(context, 1).run()) {
      return failure;
    }
  }
  return nullptr;
}

const char* make_sockets() {
  asio::io_context context{1};
  for (unsigned time = 0; time < k_datagrams; ++time) {
    const udp::socket socket(context, udp::endpoint(asio::ip::address_v4::loopback(), 0));
    if (socket.local_endpoint().port() == 0) {
      return "a socket was not bound";
    }
  }
  return nullptr;
}

void one_pair(benchmark::State& state) {
  allocgate::suite::measure(state, echo_on_one_pair);
}

void many_pairs(benchmark::State& state) {
  allocgate::suite::measure(state, echo_on_many_pairs);
}

void sockets(benchmark::State& state) {
  allocgate::suite::measure(state, make_sockets);
}

ALLOCGATE_WORKLOAD(one_pair, "asio/udp_1000_reqs_1_conn", (asio_row("UDP: 1000 echoed datagrams between two sockets")));
ALLOCGATE_WORKLOAD(many_pairs, "asio/udp_1_reqs_1000_conn",
                   (asio_row("UDP: 1000 echoed datagrams, each between two new sockets")));
ALLOCGATE_WORKLOAD(sockets, "asio/1000_udpbootstraps", (asio_row("UDP: 1000 sockets made, bound and closed")));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// uv/udp_1000_reqs_1_conn: a datagram of 39 bytes goes to a server on the same loop and comes back, 1000 times. Each
// send needs a request that lives until it is sent, with the bytes: two allocations a round trip, both ours.
//
// uv/read_10000_chunks_from_file: 10 000 reads of one byte from a file, each through the thread pool, with one request
// that is used again. libuv allocates nothing for a read of up to four buffers.
//
// The sockets and the file are made before the window.
//
// counts per iteration of uv/udp_1000_reqs_1_conn: 2 000 allocations, 720 000 bytes (uv 1.44.2)
// counts per iteration of uv/read_10000_chunks_from_file: 0 to 10 allocations (uv 1.44.2)
// not exact: two threads; the loop may look before or after the pool's thread is done

#include "workloads/common/measure.hpp"
#include "workloads/uv/loop.hpp"
#include "workloads/uv/uv_description.hpp"

#include <allocgate/benchmark.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

namespace {

using namespace allocgate::suite;

constexpr char k_message[] = "Something to send there and back again.";
constexpr unsigned k_message_size = sizeof(k_message) - 1;
constexpr unsigned k_round_trips = 1000;
constexpr unsigned k_chunks = 10000;

struct Echo {
  static constexpr std::size_t k_datagram_size = 2048;

  uv_udp_t server = {};
  uv_udp_t client = {};
  char received[k_datagram_size] = {};
  sockaddr_storage server_address = {};
  unsigned round_trips = 0;
};

void send(uv_udp_t& from, const char* data, const sockaddr* to) {
  struct Sending {
    uv_udp_send_t request = {};
    char data[k_message_size] = {};
  };
  auto* sending = new Sending;
  sending->request.data = sending;
  std::memcpy(static_cast<char*>(sending->data), data, k_message_size);
  const uv_buf_t buffer = uv_buf_init(static_cast<char*>(sending->data), k_message_size);
  uv_udp_send(&sending->request, &from, &buffer, 1, to,
              [](uv_udp_send_t* sent, int /*status*/) { delete static_cast<Sending*>(sent->data); });
}

void buffer_of(uv_handle_t* handle, std::size_t /*suggested*/, uv_buf_t* buffer) {
  auto& echo = *static_cast<Echo*>(handle->data);
  *buffer = uv_buf_init(static_cast<char*>(echo.received), sizeof(echo.received));
}

void answer(uv_udp_t* server, ssize_t size, const uv_buf_t* buffer, const sockaddr* from, unsigned /*flags*/) {
  if (size == static_cast<ssize_t>(k_message_size)) {
    send(*server, buffer->base, from);
  }
}

void is_answered(uv_udp_t* client, ssize_t size, const uv_buf_t* buffer, const sockaddr* /*from*/, unsigned /*flags*/) {
  auto& echo = *static_cast<Echo*>(client->data);
  if (size != static_cast<ssize_t>(k_message_size) ||
      std::memcmp(buffer->base, static_cast<const char*>(k_message), k_message_size) != 0) {
    return;
  }
  if (++echo.round_trips < k_round_trips) {
    send(*client, static_cast<const char*>(k_message), reinterpret_cast<const sockaddr*>(&echo.server_address));
  } else {
    uv_udp_recv_stop(&echo.server);
    uv_udp_recv_stop(&echo.client);
  }
}

void udp_echo(benchmark::State& state) {
  UvLoop loop;
  Echo echo;
  const sockaddr_in address = any_loopback_port();
  for (uv_udp_t* socket : {&echo.server, &echo.client}) {
    uv_udp_init(loop.get(), socket);
    socket->data = &echo;
    uv_udp_bind(socket, reinterpret_cast<const sockaddr*>(&address), 0);
  }
  int size = sizeof(echo.server_address);
  uv_udp_getsockname(&echo.server, reinterpret_cast<sockaddr*>(&echo.server_address), &size);
  measure_after_first_use(state, [&]() -> const char* {
    echo.round_trips = 0;
    uv_udp_recv_start(&echo.server, buffer_of, answer);
    uv_udp_recv_start(&echo.client, buffer_of, is_answered);
    send(echo.client, static_cast<const char*>(k_message), reinterpret_cast<const sockaddr*>(&echo.server_address));
    loop.run();
    return echo.round_trips == k_round_trips ? nullptr : "round trips are missing";
  });
  uv_close(reinterpret_cast<uv_handle_t*>(&echo.server), nullptr);
  uv_close(reinterpret_cast<uv_handle_t*>(&echo.client), nullptr);
  loop.run();
}

struct Reading {
  UvLoop loop;
  uv_fs_t request = {};
  uv_file file = -1;
  char byte = 0;
  unsigned chunks = 0;
};

void read_next(Reading& reading) {
  const uv_buf_t buffer = uv_buf_init(&reading.byte, 1);
  reading.request.data = &reading;
  uv_fs_read(reading.loop.get(), &reading.request, reading.file, &buffer, 1, reading.chunks, [](uv_fs_t* done) {
    auto& self = *static_cast<Reading*>(done->data);
    const bool has_read = done->result == 1 && self.byte == 'X';
    uv_fs_req_cleanup(done);
    if (has_read) {
      ++self.chunks;
      read_next(self);
    }
  });
}

void file_chunks(benchmark::State& state) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  std::FILE* file = std::tmpfile();
  const std::string text(k_chunks, 'X');
  if (file == nullptr || std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    state.SkipWithError("the file could not be written");
    return;
  }
  {
    Reading reading;
    reading.file = fileno(file);
    measure_after_first_use(state, [&]() -> const char* {
      reading.chunks = 0;
      read_next(reading);
      reading.loop.run();
      return reading.chunks == k_chunks ? nullptr : "chunks are missing";
    });
  }
  std::fclose(file);
}

ALLOCGATE_WORKLOAD(udp_echo, "uv/udp_1000_reqs_1_conn", (uv_row("UDP: 1000 echoed datagrams between two sockets")));
ALLOCGATE_WORKLOAD(file_chunks, "uv/read_10000_chunks_from_file",
                   (least_of(uv_row("files: 10 000 reads of one byte through the thread pool"), 2)));

}  // namespace

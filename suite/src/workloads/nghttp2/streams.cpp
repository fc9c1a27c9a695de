// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// HTTP/2 in memory: a client session and a server session of nghttp2, what one writes the other reads.
//
// nghttp2/1000_reqs_1_conn: 1000 requests one after another, each answered with 100 bytes and five header fields.
// nghttp2/10_times_100_streams: the same with 100 streams open at the same time. A request is nine allocations: the
// stream and the queued frames on both sides, and copies of the header fields.
//
// nghttp2/hpack_1000: 1000 header blocks with a field that changes are encoded and decoded. The field that changes is
// put into the dynamic tables of both sides and takes the place of an older one.
//
// Sessions and tables are made in the iteration: a server keeps what it knows of a closed stream for the tree of
// priorities until its session ends, which would look like a leak.
//
// counts per iteration of nghttp2/1000_reqs_1_conn: 9 045 allocations, 1 658 008 bytes (nghttp2 1.52.0)
// counts per iteration of nghttp2/10_times_100_streams: 9 050 allocations, 1 659 992 bytes (nghttp2 1.52.0)
// counts per iteration of nghttp2/hpack_1000: 7 006 allocations, 434 185 bytes (nghttp2 1.52.0)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <nghttp2/nghttp2.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_requests = 1000;
constexpr std::size_t k_body_size = 100;

nghttp2_nv header(std::string_view name, std::string_view value) {
  const auto bytes = [](std::string_view text) {
    return const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

ssize_t make_body(nghttp2_session* /*session*/, std::int32_t /*stream*/, std::uint8_t* buffer, std::size_t /*size*/,
                  std::uint32_t* flags, nghttp2_data_source* /*source*/, void* /*self*/) {
  std::memset(buffer, 'x', k_body_size);
  *flags |= NGHTTP2_DATA_FLAG_EOF;
  return k_body_size;
}

int answer(nghttp2_session* session, const nghttp2_frame* frame, void* /*self*/) {
  if (frame->hd.type == NGHTTP2_HEADERS && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
    const std::array headers = {header(":status", "200"), header("content-length", "100"),
                                header("x-random-extra-header", "0"), header("x-random-extra-header", "1"),
                                header("x-random-extra-header", "2")};
    nghttp2_data_provider body = {};
    body.read_callback = make_body;
    nghttp2_submit_response(session, frame->hd.stream_id, headers.data(), headers.size(), &body);
  }
  return 0;
}

class Exchange {
public:
  Exchange() {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, answer);
    nghttp2_session_server_new(&m_server, callbacks, nullptr);
    nghttp2_session_callbacks_del(callbacks);

    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(
        callbacks, [](nghttp2_session*, std::uint8_t, std::int32_t, const std::uint8_t*, std::size_t size, void* self) {
          static_cast<Exchange*>(self)->m_received += size;
          return 0;
        });
    nghttp2_session_callbacks_set_on_stream_close_callback(
        callbacks, [](nghttp2_session*, std::int32_t, std::uint32_t error, void* self) {
          static_cast<Exchange*>(self)->m_answered += error == NGHTTP2_NO_ERROR ? 1 : 0;
          return 0;
        });
    nghttp2_session_client_new(&m_client, callbacks, this);
    nghttp2_session_callbacks_del(callbacks);

    nghttp2_submit_settings(m_client, NGHTTP2_FLAG_NONE, nullptr, 0);
    nghttp2_submit_settings(m_server, NGHTTP2_FLAG_NONE, nullptr, 0);
    pass_everything();
  }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange() {
    nghttp2_session_del(m_client);
    nghttp2_session_del(m_server);
  }

  // Null when k_requests were answered, with so many streams at the same time.
  const char* run(unsigned streams) {
    m_answered = 0;
    m_received = 0;
    for (unsigned asked = 0; asked < k_requests; asked += streams) {
      for (unsigned stream = 0; stream < streams; ++stream) {
        const std::array headers = {header(":method", "GET"), header(":scheme", "https"),
                                    header(":authority", "foo.com"), header(":path", "/allocation-test-1")};
        nghttp2_submit_request(m_client, nullptr, headers.data(), headers.size(), nullptr, nullptr);
      }
      pass_everything();
    }
    return m_answered == k_requests && m_received == k_requests * k_body_size ? nullptr : "answers are missing";
  }

private:
  // Whether there was something to pass on.
  static bool pass(nghttp2_session* from, nghttp2_session* to) {
    const std::uint8_t* data = nullptr;
    bool passed = false;
    for (ssize_t size = nghttp2_session_mem_send(from, &data); size > 0; size = nghttp2_session_mem_send(from, &data)) {
      nghttp2_session_mem_recv(to, data, static_cast<std::size_t>(size));
      passed = true;
    }
    return passed;
  }

  void pass_everything() {
    for (bool passed = true; passed;) {
      passed = pass(m_client, m_server);
      passed = pass(m_server, m_client) || passed;
    }
  }

  nghttp2_session* m_client = nullptr;
  nghttp2_session* m_server = nullptr;
  unsigned m_answered = 0;
  std::size_t m_received = 0;
};

// The number of header fields that came out.
unsigned inflate(nghttp2_hd_inflater* inflater, const std::uint8_t* data, std::size_t size) {
  unsigned fields = 0;
  for (int flags = 0; (flags & NGHTTP2_HD_INFLATE_FINAL) == 0;) {
    nghttp2_nv field = {};
    const ssize_t used = nghttp2_hd_inflate_hd2(inflater, &field, &flags, data, size, 1);
    if (used < 0) {
      return 0;
    }
    data += used;
    size -= static_cast<std::size_t>(used);
    fields += (flags & NGHTTP2_HD_INFLATE_EMIT) != 0 ? 1 : 0;
  }
  nghttp2_hd_inflate_end_headers(inflater);
  return fields;
}

const char* encode_and_decode() {
  constexpr std::size_t k_table_size = 4096;
  constexpr std::size_t k_longest_block = 4096;
  nghttp2_hd_deflater* deflater = nullptr;
  nghttp2_hd_inflater* inflater = nullptr;
  nghttp2_hd_deflate_new(&deflater, k_table_size);
  nghttp2_hd_inflate_new(&inflater);
  unsigned decoded = 0;
  unsigned encoded = 0;
  for (unsigned block = 0; block < k_requests; ++block) {
    std::array<char, 16> number{};
    std::snprintf(number.data(), number.size(), "%06u", block);
    std::array headers = {header(":method", "POST"), header(":path", "/3/device/abc"),
                          header("authorization", "bearer 1234567890"), header("apns-id", number.data())};
    std::array<std::uint8_t, k_longest_block> data{};
    const ssize_t size = nghttp2_hd_deflate_hd(deflater, data.data(), data.size(), headers.data(), headers.size());
    encoded += static_cast<unsigned>(headers.size());
    decoded += size > 0 ? inflate(inflater, data.data(), static_cast<std::size_t>(size)) : 0;
  }
  nghttp2_hd_deflate_del(deflater);
  nghttp2_hd_inflate_del(inflater);
  return decoded == encoded ? nullptr : "header fields are missing";
}

allocgate::WorkloadDescription nghttp2_row(std::string exercises) {
  return exact("nghttp2", package_version({"libnghttp2-14"}, nghttp2_version(0)->version_str), std::move(exercises));
}

void one_by_one(benchmark::State& state) {
  measure(state, [] { return Exchange().run(1); });
}

void at_the_same_time(benchmark::State& state) {
  constexpr unsigned k_streams = 100;
  measure(state, [] { return Exchange().run(k_streams); });
}

void hpack(benchmark::State& state) {
  measure(state, encode_and_decode);
}

ALLOCGATE_WORKLOAD(one_by_one, "nghttp2/1000_reqs_1_conn",
                   (nghttp2_row("HTTP/2 in memory: 1000 GET requests one after another")));
ALLOCGATE_WORKLOAD(at_the_same_time, "nghttp2/10_times_100_streams",
                   (nghttp2_row("HTTP/2 in memory: 100 streams at the same time, against one after another")));
ALLOCGATE_WORKLOAD(hpack, "nghttp2/hpack_1000", (nghttp2_row("HPACK: 1000 header blocks encoded and decoded")));

}  // namespace

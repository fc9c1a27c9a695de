// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// uv/1000_reqs_1_conn: an HTTP/1.1 client sends 1000 GET requests over one keep-alive connection, a server on the same
// loop answers each with 100 bytes and four headers, over libuv and llhttp. uv/1_reqs_1000_conn: one request on each of
// 1000 connections. uv/http1_parse_1000: the parser alone.
//
// libuv and llhttp allocate nothing for a request. The 22 of a request are the glue of this workload: strings longer
// than 15 bytes, the growing lists of headers, two write requests; in the parser alone the list that grows to four. It
// is what a program that uses the two adds; the two to which it may be compared have their own. A connection is its two
// ends, 64 KiB of read buffer in each.
//
// The server listens before the window. An iteration is everything else, to the end of both ends, in one uv_run().
//
// counts per iteration of uv/1000_reqs_1_conn: 22 004 allocations, 2 383 356 bytes (uv 1.44.2)
// counts per iteration of uv/1_reqs_1000_conn: 26 000 allocations, 134 607 000 bytes (uv 1.44.2)
// counts per iteration of uv/http1_parse_1000: 3 001 allocations, 448 031 bytes (llhttp 8.1.0)

#include "workloads/common/measure.hpp"
#include "workloads/uv/http_adapter.hpp"
#include "workloads/uv/uv_description.hpp"

#include <allocgate/benchmark.hpp>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_many = 1000;

std::string llhttp_version() {
  return std::to_string(LLHTTP_VERSION_MAJOR) + "." + std::to_string(LLHTTP_VERSION_MINOR) + "." +
         std::to_string(LLHTTP_VERSION_PATCH);
}

// Counts that depend on both; each is a core of its own in the testbed.
allocgate::WorkloadDescription glue_row(std::string exercises) {
  allocgate::WorkloadDescription row =
      uv_row(std::move(exercises) + ", with llhttp; both allocate nothing here: what is counted is our glue");
  row.depends_on = {"core.llhttp"};
  return row;
}

void run(benchmark::State& state, unsigned connections, unsigned requests) {
  UvLoop loop;
  uv_tcp_t server = {};
  unsigned ended = 0;
  if (!serve_http(loop.get(), server, ended)) {
    state.SkipWithError("the server could not listen");
  }
  measure_after_first_use(state, [&]() -> const char* {
    ended = 0;
    HttpRun all{.address = address_of(server), .requests = requests, .connections = connections};
    connect_http(loop.get(), all);
    loop.run();
    return all.answered == connections * requests && ended == connections && all.ended_clients == connections
               ? nullptr
               : "answers are missing";
  });
  uv_close(reinterpret_cast<uv_handle_t*>(&server), nullptr);
  loop.run();
}

void many_requests(benchmark::State& state) {
  run(state, 1, k_many);
}

void many_connections(benchmark::State& state) {
  run(state, k_many, 1);
}

void parse(benchmark::State& state) {
  constexpr char k_request[] =
      "POST /allocation-test-1 HTTP/1.1\r\nHost: foo.com\r\nUser-Agent: alloc/1\r\nAccept: */*\r\n"
      "Content-Length: 5\r\n\r\nhello";
  measure(state, [&]() -> const char* {
    unsigned parsed = 0;
    HttpParser parser(
        HTTP_REQUEST, [](void* count) { ++*static_cast<unsigned*>(count); }, &parsed);
    for (unsigned message = 0; message < k_many; ++message) {
      if (!parser.parse(static_cast<const char*>(k_request), sizeof(k_request) - 1) ||
          parser.message().body != "hello") {
        return "a request was not parsed";
      }
    }
    return parsed == k_many ? nullptr : "a request was not complete";
  });
}

ALLOCGATE_WORKLOAD(many_requests, "uv/1000_reqs_1_conn",
                   (in_layers(glue_row("HTTP/1.1: 1000 GET requests over one keep-alive connection"),
                              {{"codec", "uv/http1_parse_1000", 2}, {"core", "uv/ping_pong_1000_reqs_1_conn"}})));
ALLOCGATE_WORKLOAD(many_connections, "uv/1_reqs_1000_conn",
                   (glue_row("HTTP/1.1: 1000 connections one after another, one GET request on each")));
ALLOCGATE_WORKLOAD(parse, "uv/http1_parse_1000",
                   (exact("llhttp", llhttp_version(), "the HTTP/1.1 codec alone: what is counted is our glue")));

}  // namespace

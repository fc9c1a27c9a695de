// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// httplib/1000_reqs_1_conn: a blocking client of cpp-httplib sends 1000 GET requests over one keep-alive connection, a
// server with one working thread answers each with 100 bytes and four headers.
//
// The server listens before the window. Of the 68 of a request most are headers, two nodes of a map and their strings
// on either side, and the text that requests and responses are made of.
//
// counts per iteration of httplib/1000_reqs_1_conn: 68 000 to 68 100 allocations (httplib 0.11.4)
// not exact: three threads; the end of a connection may overlap what comes after it

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <httplib.h>

#include <string>
#include <thread>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_requests = 1000;
constexpr std::size_t k_body_size = 100;
constexpr int k_ok = 200;

void prepare(httplib::Server& server) {
  server.set_keep_alive_max_count(2 * k_requests);
  server.set_tcp_nodelay(true);
  server.new_task_queue = [] { return new httplib::ThreadPool(1); };
  server.Get("/allocation-test-1", [](const httplib::Request& /*request*/, httplib::Response& response) {
    constexpr int k_extra_headers = 3;
    for (int header = 0; header < k_extra_headers; ++header) {
      response.headers.emplace("X-Random-Extra-Header", std::to_string(header));
    }
    response.set_content(std::string(k_body_size, 'x'), "text/plain");
  });
}

const char* ask(int port) {
  httplib::Client client("127.0.0.1", port);
  client.set_keep_alive(true);
  client.set_tcp_nodelay(true);
  for (unsigned request = 0; request < k_requests; ++request) {
    const httplib::Result result = client.Get("/allocation-test-1");
    if (!result || result->status != k_ok || result->body.size() != k_body_size) {
      return "a request was not answered";
    }
  }
  return nullptr;
}

void http_requests(benchmark::State& state) {
  httplib::Server server;
  prepare(server);
  const int port = server.bind_to_any_port("127.0.0.1");
  std::thread thread([&] { server.listen_after_bind(); });
  while (!server.is_running()) {
    std::this_thread::yield();
  }
  measure_after_first_use(state, [&] { return ask(port); });
  server.stop();
  thread.join();
}

ALLOCGATE_WORKLOAD(http_requests, "httplib/1000_reqs_1_conn",
                   (least_of(exact("httplib", package_version({"libcpp-httplib0.11"}, CPPHTTPLIB_VERSION),
                                   "HTTP/1.1: 1000 GET requests over one keep-alive connection, blocking"),
                             3)));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// httplib/1000_reqs_1_conn: a blocking client of cpp-httplib sends 1000 GET requests over one keep-alive connection, a
// server with one working thread answers each with 100 bytes and four headers.
//
// The server listens before the window, which ends when the worker has put the connection away: else the end of one
// would be counted in the next. Of the 68 of a request most are headers, two nodes of a map and their strings on either
// side, and the text that requests and responses are made of; the three are the connection's, among them the stream in
// which the server sees its end.
//
// counts per iteration of httplib/1000_reqs_1_conn: 68 003 allocations, 14 207 128 bytes (httplib 0.11.4)

#include "workloads/common/description.hpp"
#include "workloads/common/measure.hpp"
#include "workloads/common/package_version.hpp"

#include <allocgate/benchmark.hpp>

#include <httplib.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_requests = 1000;
constexpr std::size_t k_body_size = 100;
constexpr int k_ok = 200;

/// The server's one working thread, of which can be asked whether it is done. One connection at a time.
class Worker final : public httplib::TaskQueue {
public:
  Worker() : m_thread([this] { work(); }) {}

  void enqueue(std::function<void()> connection) override {
    {
      const std::lock_guard lock(m_mutex);
      m_connection = std::move(connection);
    }
    m_changed.notify_all();
  }

  void shutdown() override {
    {
      const std::lock_guard lock(m_mutex);
      m_ends = true;
    }
    m_changed.notify_all();
    m_thread.join();
  }

  /// Returns when `number` connections were put away in all.
  void wait_for(unsigned number) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return m_done == number; });
  }

private:
  void work() {
    std::unique_lock lock(m_mutex);
    for (;;) {
      m_changed.wait(lock, [&] { return m_ends || m_connection; });
      if (!m_connection) {
        return;
      }
      lock.unlock();
      m_connection();
      lock.lock();
      m_connection = nullptr;
      ++m_done;
      m_changed.notify_all();
    }
  }

  std::mutex m_mutex;
  std::condition_variable m_changed;
  std::function<void()> m_connection;
  unsigned m_done = 0;
  bool m_ends = false;
  std::thread m_thread;  // the last, because it uses the others
};

void prepare(httplib::Server& server, std::atomic<Worker*>& worker) {
  server.set_keep_alive_max_count(2 * k_requests);
  server.set_tcp_nodelay(true);
  server.new_task_queue = [&worker] {
    worker = new Worker();
    return worker.load();
  };
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
  std::atomic<Worker*> worker{nullptr};  // the server's own
  prepare(server, worker);
  const int port = server.bind_to_any_port("127.0.0.1");
  std::thread thread([&] { server.listen_after_bind(); });
  while (!server.is_running() || worker == nullptr) {
    std::this_thread::yield();
  }
  unsigned connections = 0;
  measure_after_first_use(state, [&] {
    const char* const failure = ask(port);
    worker.load()->wait_for(++connections);
    return failure;
  });
  server.stop();
  thread.join();
}

ALLOCGATE_WORKLOAD(http_requests, "httplib/1000_reqs_1_conn",
                   (in_step(exact("httplib", package_version({"libcpp-httplib0.11"}, CPPHTTPLIB_VERSION),
                                  "HTTP/1.1: 1000 GET requests over one keep-alive connection, blocking"),
                            3)));

}  // namespace

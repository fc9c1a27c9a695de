// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// beast/task_list_http/N: a small backend that keeps N tasks and answers with all of them as JSON, asked 20 times over
// one keep-alive connection. It models the service that most people write first. beast/add_20_tasks_http: 20 tasks are
// added one by one, each as a JSON object in a POST request.
//
// The list grows with N: a task is its object, three names, and its title on the server and again in what the client
// reads; the text of the answer grows by doubling. The rest is HTTP's. Server and tasks are made before the window.
//
// counts per iteration of beast/task_list_http/2: 753 allocations, 64 418 bytes (beast 1.81.0)
// counts per iteration of beast/task_list_http/128: 26 313 allocations, 1 453 706 bytes (beast 1.81.0)
// counts per iteration of beast/task_list_http/1024: 205 753 allocations, 14 184 383 bytes (beast 1.81.0)
// counts per iteration of beast/add_20_tasks_http: 559 allocations, 57 476 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace allocgate::suite;
namespace asio = boost::asio;
namespace http = boost::beast::http;
namespace json = boost::json;
using asio::ip::tcp;
using boost::beast::error_code;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr unsigned k_requests = 20;
constexpr unsigned k_http_1_1 = 11;
constexpr char k_title[] = "buy some milk and some eggs";

struct Task {
  std::string title;
  bool done = false;
};

struct Backend {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::vector<Task> tasks;
  unsigned ended = 0;
};

class Session : public std::enable_shared_from_this<Session> {
public:
  Session(Backend& backend, tcp::socket socket) : m_backend(backend), m_socket(std::move(socket)) {
    m_socket.set_option(tcp::no_delay(true));
  }
  ~Session() { ++m_backend.ended; }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void read() {
    m_request = {};
    http::async_read(m_socket, m_buffer, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->answer();
      }
    });
  }

private:
  void answer() {
    m_response = {http::status::ok, k_http_1_1};
    m_response.set(http::field::content_type, "application/json");
    m_response.body() = m_request.method() == http::verb::post ? add_task() : list_tasks();
    m_response.prepare_payload();
    http::async_write(m_socket, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->read();
      }
    });
  }

  std::string add_task() {
    const json::value task = json::parse(m_request.body());
    m_backend.tasks.push_back({std::string(task.at("title").as_string()), false});
    m_response.result(http::status::created);
    return json::serialize(json::object{{"id", m_backend.tasks.size()}});
  }

  std::string list_tasks() const {
    json::array list;
    std::size_t id = 0;
    for (const Task& task : m_backend.tasks) {
      list.push_back(json::object{{"id", ++id}, {"title", task.title}, {"done", task.done}});
    }
    return json::serialize(list);
  }

  Backend& m_backend;
  tcp::socket m_socket;
  boost::beast::flat_buffer m_buffer;
  Request m_request;
  Response m_response;
};

// Asks k_requests times.
class Client : public std::enable_shared_from_this<Client> {
public:
  Client(Backend& backend, http::verb method, unsigned& answered)
      : m_backend(backend), m_socket(backend.context), m_method(method), m_answered(answered) {}

  // The server accepts when the client is connected: which of both events epoll tells first would depend on the load.
  void connect() {
    m_socket.async_connect(m_backend.acceptor.local_endpoint(), [self = shared_from_this()](error_code error) {
      if (!error) {
        self->m_backend.acceptor.async_accept([&backend = self->m_backend](error_code failed, tcp::socket accepted) {
          if (!failed) {
            std::make_shared<Session>(backend, std::move(accepted))->read();
          }
        });
        self->m_socket.set_option(tcp::no_delay(true));
        self->m_socket.set_option(tcp::socket::linger(true, 0));
        self->ask();
      }
    });
  }

private:
  void ask() {
    m_request = {m_method, "/tasks", k_http_1_1};
    m_request.set(http::field::host, "foo.com");
    if (m_method == http::verb::post) {
      m_request.body() = json::serialize(json::object{{"title", k_title}});
      m_request.prepare_payload();
    }
    http::async_write(m_socket, m_request, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error) {
        self->read();
      }
    });
  }

  void read() {
    m_response = {};
    http::async_read(m_socket, m_buffer, m_response, [self = shared_from_this()](error_code error, std::size_t) {
      if (!error && self->is_right()) {
        ++self->m_answered;
      }
      if (!error && ++self->m_asked < k_requests) {
        self->ask();
      } else {
        self->m_socket.close();
      }
    });
  }

  [[nodiscard]] bool is_right() const {
    const json::value answer = json::parse(m_response.body());
    return m_method == http::verb::post ? answer.at("id").as_int64() == m_asked + 1
                                        : answer.as_array().size() == m_backend.tasks.size();
  }

  Backend& m_backend;
  tcp::socket m_socket;
  http::verb m_method;
  unsigned& m_answered;
  unsigned m_asked = 0;
  boost::beast::flat_buffer m_buffer;
  Request m_request;
  Response m_response;
};

const char* run_requests(Backend& backend, http::verb method) {
  unsigned answered = 0;
  backend.ended = 0;
  std::make_shared<Client>(backend, method, answered)->connect();
  backend.context.restart();
  backend.context.run();
  return answered == k_requests && backend.ended == 1 ? nullptr : "answers are missing";
}

void list_tasks(benchmark::State& state) {
  Backend backend;
  backend.tasks.assign(static_cast<std::size_t>(state.range(0)), {static_cast<const char*>(k_title), false});
  measure_after_first_use(state, [&] { return run_requests(backend, http::verb::get); });
}

void add_tasks(benchmark::State& state) {
  Backend backend;
  measure_after_first_use(state, [&] {
    backend.tasks = {};
    const char* failure = run_requests(backend, http::verb::post);
    backend.tasks = std::vector<Task>();
    return failure;
  });
}

ALLOCGATE_WORKLOAD(list_tasks, "beast/task_list_http",
                   (beast_row("a backend: 20 GET requests answered with N tasks as JSON")))
    ->Arg(2)
    ->Arg(128)
    ->Arg(1024);
ALLOCGATE_WORKLOAD(add_tasks, "beast/add_20_tasks_http",
                   (beast_row("a backend: 20 POST requests with a task as JSON")));

}  // namespace

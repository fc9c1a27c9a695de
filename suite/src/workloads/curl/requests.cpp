// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// curl/1000_reqs_1_conn/client: a client of curl_multi sends 1000 GET requests over one keep-alive connection, to a
// server in the same thread that answers 100 bytes and four headers and allocates nothing: what is counted is libcurl's
// client alone, against both ends in the rows of that name over other cores.
//
// The server listens before the window. An iteration makes the two handles, asks one after another, as a loop drives
// curl_multi, and releases them, to the end of both ends. Of the 31 of a request one is the buffer of more than 16 KiB
// that a transfer receives into, and the others the parts of its URL, the request's text and what the transfer keeps of
// its headers, most of them below 128 bytes; 33 more are the handles and the connection.
//
// counts per iteration of curl/1000_reqs_1_conn/client: 31 033 allocations, 19 635 736 bytes (curl 7.88.1)

#include "workloads/common/measure.hpp"
#include "workloads/curl/curl_description.hpp"

#include <allocgate/benchmark.hpp>

#include <arpa/inet.h>
#include <curl/curl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>

namespace {

using namespace allocgate::suite;

constexpr unsigned k_requests = 1000;
constexpr std::size_t k_body_size = 100;
constexpr std::size_t k_longest_request = 1024;
constexpr std::string_view k_head =
    "HTTP/1.1 200 OK\r\nContent-Length: 100\r\nX-Random-Extra-Header: 0\r\nX-Random-Extra-Header: 1\r\n"
    "X-Random-Extra-Header: 2\r\n\r\n";

// One connection at a time, without a wait and without an allocation.
class Server {
public:
  Server() : m_listener(socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    if (bind(m_listener, reinterpret_cast<const sockaddr*>(&address), size) == 0 && listen(m_listener, 1) == 0 &&
        getsockname(m_listener, reinterpret_cast<sockaddr*>(&address), &size) == 0) {
      m_port = ntohs(address.sin_port);
    }
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  ~Server() { close(m_listener); }

  [[nodiscard]] int port() const { return m_port; }
  [[nodiscard]] bool is_connected() const { return m_connection >= 0; }

  // Does what can be done now: takes the connection, reads a request, answers it, notices its end.
  void work() {
    if (!is_connected()) {
      m_connection = accept4(m_listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      m_size = 0;
      return;
    }
    const ssize_t size = read(m_connection, m_request.data() + m_size, m_request.size() - m_size);
    if (size <= 0) {
      if (size == 0 || errno != EAGAIN) {
        close(m_connection);
        m_connection = -1;
      }
      return;
    }
    m_size += static_cast<std::size_t>(size);
    if (std::string_view(m_request.data(), m_size).ends_with("\r\n\r\n")) {
      m_size = 0;
      static const std::string answer = std::string(k_head) + std::string(k_body_size, 'x');
      if (send(m_connection, answer.data(), answer.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(answer.size())) {
        close(m_connection);
        m_connection = -1;
      }
    }
  }

private:
  int m_listener;
  int m_connection = -1;
  int m_port = 0;
  std::array<char, k_longest_request> m_request{};
  std::size_t m_size = 0;
};

class Client {
public:
  explicit Client(const std::string& url) {
    const long yes = 1;
    curl_easy_setopt(m_easy, CURLOPT_URL, url.c_str());
    curl_easy_setopt(m_easy, CURLOPT_NOSIGNAL, yes);
    curl_easy_setopt(m_easy, CURLOPT_WRITEDATA, &m_received);
    curl_easy_setopt(m_easy, CURLOPT_WRITEFUNCTION, count_bytes);
    curl_easy_setopt(m_easy, CURLOPT_SOCKOPTFUNCTION, set_options);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  ~Client() {
    curl_easy_cleanup(m_easy);
    curl_multi_cleanup(m_multi);
  }

  bool ask(Server& server) {
    m_received = 0;
    curl_multi_add_handle(m_multi, m_easy);
    for (int running = 1; running != 0;) {
      if (curl_multi_perform(m_multi, &running) != CURLM_OK) {
        return false;
      }
      server.work();
    }
    int left = 0;
    const CURLMsg* message = curl_multi_info_read(m_multi, &left);
    const bool answered = message != nullptr && message->msg == CURLMSG_DONE && message->data.result == CURLE_OK;
    curl_multi_remove_handle(m_multi, m_easy);
    return answered && m_received == k_body_size;
  }

private:
  static std::size_t count_bytes(char* /*data*/, std::size_t size, std::size_t count, void* received) {
    *static_cast<std::size_t*>(received) += size * count;
    return size * count;
  }

  // Nothing is left in the kernel of a connection that was.
  static int set_options(void* /*client*/, curl_socket_t socket, curlsocktype /*purpose*/) {
    const linger at_once = {1, 0};
    const int yes = 1;
    setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
    return setsockopt(socket, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once)) == 0 ? CURL_SOCKOPT_OK
                                                                                     : CURL_SOCKOPT_ERROR;
  }

  CURLM* m_multi = curl_multi_init();
  CURL* m_easy = curl_easy_init();
  std::size_t m_received = 0;
};

const char* send_requests(const std::string& url, Server& server) {
  {
    Client client(url);
    for (unsigned request = 0; request < k_requests; ++request) {
      if (!client.ask(server)) {
        return "a request was not answered";
      }
    }
  }
  while (server.is_connected()) {
    server.work();
  }
  return nullptr;
}

void http_requests(benchmark::State& state) {
  curl_global_init(CURL_GLOBAL_ALL);
  Server server;
  const std::string url = "http://127.0.0.1:" + std::to_string(server.port()) + "/allocation-test-1";
  measure_after_first_use(state, [&] { return send_requests(url, server); });
}

ALLOCGATE_WORKLOAD(http_requests, "curl/1000_reqs_1_conn/client",
                   (curl_row("HTTP/1.1: 1000 GET requests over one connection, curl_multi's client alone")));

}  // namespace

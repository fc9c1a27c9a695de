// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// asio/1000_tcpconnections: a client connects, sends one byte, the server resets the connection, 1000 times one after
// another. It models short connections without a protocol.
//
// The server listens before the window. Each connection is two allocations, the objects of its two ends; handlers are
// recycled, and so are Asio's descriptor states. The rest is three handler blocks.
//
// counts per iteration of asio/1000_tcpconnections: 2 003 allocations, 272 656 bytes (asio 1.22.1)

#include "workloads/asio/asio_description.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/write.hpp>

#include <array>
#include <memory>
#include <utility>

namespace {

using asio::ip::tcp;

constexpr unsigned k_connections = 1000;

struct Server {
  asio::io_context context{1};
  tcp::acceptor acceptor{context, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  unsigned received = 0;
  unsigned reset = 0;
};

struct End : std::enable_shared_from_this<End> {
  End(Server& all, tcp::socket end) : server(all), socket(std::move(end)) {}

  Server& server;
  tcp::socket socket;
  std::array<char, 4> data{};
};

void serve(const std::shared_ptr<End>& end) {
  end->socket.async_read_some(asio::buffer(end->data), [end](std::error_code error, std::size_t size) {
    end->server.received += !error && size == 1 ? 1 : 0;
    end->socket.set_option(tcp::socket::linger(true, 0));
    end->socket.close();
  });
}

void connect_one(Server& server, unsigned left);

// When the client is connected: both events come together, and which one epoll tells first would depend on the load.
void accept_one(Server& server) {
  server.acceptor.async_accept([&server](std::error_code error, tcp::socket socket) {
    if (!error) {
      serve(std::make_shared<End>(server, std::move(socket)));
    }
  });
}

void await_reset(const std::shared_ptr<End>& end, unsigned left) {
  end->socket.async_read_some(asio::buffer(end->data), [end, left](std::error_code error, std::size_t /*size*/) {
    end->server.reset += error ? 1 : 0;
    end->socket.close();
    connect_one(end->server, left - 1);
  });
}

void connect_one(Server& server, unsigned left) {
  if (left == 0) {
    return;
  }
  auto end = std::make_shared<End>(server, tcp::socket(server.context));
  end->socket.async_connect(server.acceptor.local_endpoint(), [end, left](std::error_code error) {
    if (error) {
      return;
    }
    accept_one(end->server);
    end->socket.set_option(tcp::no_delay(true));
    end->socket.set_option(tcp::socket::linger(true, 0));
    asio::async_write(end->socket, asio::buffer(end->data, 1), [end, left](std::error_code failed, std::size_t) {
      if (!failed) {
        await_reset(end, left);
      }
    });
  });
}

void connections(benchmark::State& state) {
  Server server;
  allocgate::suite::measure_after_first_use(state, [&]() -> const char* {
    server.received = 0;
    server.reset = 0;
    connect_one(server, k_connections);
    server.context.restart();
    server.context.run();
    return server.received == k_connections && server.reset == k_connections ? nullptr : "connections are missing";
  });
}

ALLOCGATE_WORKLOAD(connections, "asio/1000_tcpconnections",
                   (allocgate::suite::asio_row("TCP: 1000 connections one after another, one byte on each")));

}  // namespace

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "workloads/uv/http_adapter.hpp"

#include <utility>

namespace allocgate::suite {

namespace {

constexpr char k_target[] = "/allocation-test-1";
constexpr std::size_t k_body_size = 100;
constexpr std::size_t k_read_buffer = 65536;

std::string make_request() {
  return "GET /allocation-test-1 HTTP/1.1\r\nHost: foo.com\r\n\r\n";
}

std::string make_body() {
  constexpr std::size_t k_letters = 26;
  std::string text;
  text.reserve(k_body_size);
  for (std::size_t index = 0; index < k_body_size; ++index) {
    text.push_back(static_cast<char>('a' + index % k_letters));
  }
  return text;
}

std::string make_response() {
  constexpr int k_extra_headers = 3;
  std::vector<HttpHeader> headers;
  headers.push_back({"Content-Length", "100"});
  for (int header = 0; header < k_extra_headers; ++header) {
    headers.push_back({"X-Random-Extra-Header", std::to_string(header)});
  }
  std::string text = "HTTP/1.1 200 OK\r\n";
  for (const HttpHeader& header : headers) {
    text += header.name;
    text += ": ";
    text += header.value;
    text += "\r\n";
  }
  text += "\r\n";
  text += make_body();
  return text;
}

struct WriteRequest {
  uv_write_t request = {};
  std::string text;
};

class Connection {
public:
  // One that was accepted.
  Connection(uv_loop_t* loop, unsigned& ended)
      : m_parser(
            HTTP_REQUEST, [](void* self) { static_cast<Connection*>(self)->answer(); }, this),
        m_ended(ended) {
    uv_tcp_init(loop, &m_socket);
    m_socket.data = this;
  }

  // A client of a run.
  Connection(uv_loop_t* loop, HttpRun& run)
      : m_parser(
            HTTP_RESPONSE, [](void* self) { static_cast<Connection*>(self)->is_answered(); }, this),
        m_ended(run.ended_clients),
        m_run(&run),
        m_left(run.requests) {
    uv_tcp_init(loop, &m_socket);
    m_socket.data = this;
    m_connecting.data = this;
  }

  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&m_socket); }
  uv_tcp_t& socket() { return m_socket; }

  void connect() {
    uv_tcp_connect(&m_connecting, &m_socket, reinterpret_cast<const sockaddr*>(&m_run->address),
                   [](uv_connect_t* request, int status) {
                     auto& self = *static_cast<Connection*>(request->data);
                     if (status == 0) {
                       make_client_socket(self.m_socket);
                       self.read();
                       self.write(make_request());
                     } else {
                       self.end();
                     }
                   });
  }

  void read() {
    uv_read_start(
        stream(),
        [](uv_handle_t* handle, std::size_t /*suggested*/, uv_buf_t* buffer) {
          auto& self = *static_cast<Connection*>(handle->data);
          *buffer = uv_buf_init(static_cast<char*>(self.m_received), sizeof(self.m_received));
        },
        [](uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
          auto& self = *static_cast<Connection*>(stream->data);
          if (size < 0 || !self.m_parser.parse(buffer->base, static_cast<std::size_t>(size))) {
            self.end();
          }
        });
  }

private:
  void write(std::string text) {
    auto* writing = new WriteRequest{{}, std::move(text)};
    writing->request.data = writing;
    const uv_buf_t buffer = uv_buf_init(writing->text.data(), static_cast<unsigned>(writing->text.size()));
    uv_write(&writing->request, stream(), &buffer, 1,
             [](uv_write_t* request, int /*status*/) { delete static_cast<WriteRequest*>(request->data); });
  }

  void answer() {
    if (m_parser.message().target == k_target) {
      write(make_response());
    }
  }

  void is_answered() {
    m_run->answered += m_parser.message().body.size() == k_body_size ? 1 : 0;
    if (--m_left > 0) {
      write(make_request());
    } else {
      connect_http(m_socket.loop, *m_run);
      end();
    }
  }

  void end() {
    auto* handle = reinterpret_cast<uv_handle_t*>(&m_socket);
    if (uv_is_closing(handle) == 0) {
      uv_close(handle, [](uv_handle_t* closed) {
        auto* self = static_cast<Connection*>(closed->data);
        unsigned& ended = self->m_ended;
        delete self;
        ++ended;
      });
    }
  }

  uv_tcp_t m_socket = {};
  uv_connect_t m_connecting = {};
  HttpParser m_parser;
  unsigned& m_ended;
  HttpRun* m_run = nullptr;
  unsigned m_left = 0;
  char m_received[k_read_buffer];
};

}  // namespace

HttpParser::HttpParser(llhttp_type type, void (*complete)(void* owner), void* owner)
    : m_complete(complete), m_owner(owner) {
  llhttp_init(&m_parser, type, &settings());
  m_parser.data = this;
}

const llhttp_settings_t& HttpParser::settings() {
  static const llhttp_settings_t settings = [] {
    llhttp_settings_t callbacks = {};
    callbacks.on_message_begin = [](llhttp_t* parser) {
      self(parser).m_message = {};
      return 0;
    };
    callbacks.on_url = [](llhttp_t* parser, const char* text, std::size_t size) {
      self(parser).m_message.target.append(text, size);
      return 0;
    };
    callbacks.on_header_field = [](llhttp_t* parser, const char* text, std::size_t size) {
      HttpMessage& message = self(parser).m_message;
      if (message.headers.empty() || message.last_was_value) {
        message.headers.emplace_back();
        message.last_was_value = false;
      }
      message.headers.back().name.append(text, size);
      return 0;
    };
    callbacks.on_header_value = [](llhttp_t* parser, const char* text, std::size_t size) {
      HttpMessage& message = self(parser).m_message;
      message.last_was_value = true;
      message.headers.back().value.append(text, size);
      return 0;
    };
    callbacks.on_body = [](llhttp_t* parser, const char* text, std::size_t size) {
      self(parser).m_message.body.append(text, size);
      return 0;
    };
    callbacks.on_message_complete = [](llhttp_t* parser) {
      self(parser).m_complete(self(parser).m_owner);
      return 0;
    };
    return callbacks;
  }();
  return settings;
}

bool serve_http(uv_loop_t* loop, uv_tcp_t& server, unsigned& ended) {
  return listen_on_loopback(loop, server, &ended, [](uv_stream_t* listening, int /*status*/) {
    auto* connection = new Connection(listening->loop, *static_cast<unsigned*>(listening->data));
    uv_accept(listening, connection->stream());
    uv_tcp_nodelay(&connection->socket(), 1);
    connection->read();
  });
}

void connect_http(uv_loop_t* loop, HttpRun& run) {
  if (run.connections > 0) {
    --run.connections;
    (new Connection(loop, run))->connect();
  }
}

}  // namespace allocgate::suite

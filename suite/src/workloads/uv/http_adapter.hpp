// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/uv/loop.hpp"

#include <llhttp/llhttp.h>
#include <uv.h>

#include <string>
#include <vector>

// The glue between libuv and llhttp: both allocate nothing for a request, so what is counted is what is here, strings,
// the list of headers and a write request, as a program that uses the two would have them.
namespace allocgate::suite {

struct HttpHeader {
  std::string name;
  std::string value;
};

/// What was received, as strings.
struct HttpMessage {
  std::string target;
  std::vector<HttpHeader> headers;
  std::string body;
  bool last_was_value = false;
};

/// The parser of one end with the message that it fills; `complete` is called with `owner` after each message.
class HttpParser {
public:
  HttpParser(llhttp_type type, void (*complete)(void* owner), void* owner);
  HttpParser(const HttpParser&) = delete;
  HttpParser& operator=(const HttpParser&) = delete;

  /// False when it was not HTTP.
  bool parse(const char* data, std::size_t size) { return llhttp_execute(&m_parser, data, size) == HPE_OK; }
  [[nodiscard]] const HttpMessage& message() const { return m_message; }

private:
  static HttpParser& self(llhttp_t* parser) { return *static_cast<HttpParser*>(parser->data); }
  static const llhttp_settings_t& settings();

  llhttp_t m_parser = {};
  HttpMessage m_message;
  void (*m_complete)(void*);
  void* m_owner;
};

/// What the clients of one run have in common.
struct HttpRun {
  sockaddr_storage address = {};
  unsigned requests = 0;     // of each connection
  unsigned connections = 0;  // that are still to be made, one after another
  unsigned answered = 0;
  unsigned ended_clients = 0;
};

/// Listens; connections that are accepted answer what make_request() asks. `ended` counts those that are over.
bool serve_http(uv_loop_t* loop, uv_tcp_t& server, unsigned& ended);

/// Makes the next connection of a run, if there is one left.
void connect_http(uv_loop_t* loop, HttpRun& run);

}  // namespace allocgate::suite

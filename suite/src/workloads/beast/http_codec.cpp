// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// The HTTP/1.1 codec alone, without a socket. beast/http1_parse_1000 parses 1000 requests with four headers and a body
// of five bytes: an allocation for each header field, and one for the target. beast/http1_serialize_1000 writes one
// response 1000 times: a serializer allocates nothing, the seven are the response, which is made in the iteration.
//
// beast/creating_10000_headers: 10 000 lists of two headers: each header is an allocation.
//
// beast/bytebuffer_lots_of_rw: 1000 times seven bytes are written one by one and five are taken away. A flat buffer
// grows by doubling, from one byte to 2 KiB.
//
// counts per iteration of beast/http1_parse_1000: 5 000 allocations, 323 000 bytes (beast 1.81.0)
// counts per iteration of beast/http1_serialize_1000: 7 allocations, 557 bytes (beast 1.81.0)
// counts per iteration of beast/creating_10000_headers: 20 000 allocations, 1 600 000 bytes (beast 1.81.0)
// counts per iteration of beast/bytebuffer_lots_of_rw: 12 allocations, 4 095 bytes (beast 1.81.0)

#include "workloads/beast/beast_description.hpp"
#include "workloads/beast/http_messages.hpp"
#include "workloads/common/measure.hpp"

#include <allocgate/benchmark.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/serializer.hpp>

#include <cstring>
#include <iterator>
#include <string_view>

namespace {

using namespace allocgate::suite;
namespace http = boost::beast::http;
using boost::beast::error_code;

constexpr int k_messages = 1000;
constexpr int k_header_lists = 10000;
constexpr std::string_view k_request =
    "POST /allocation-test-1 HTTP/1.1\r\nHost: foo.com\r\nUser-Agent: alloc/1\r\nAccept: */*\r\n"
    "Content-Length: 5\r\n\r\nhello";

const char* parse_requests() {
  for (int message = 0; message < k_messages; ++message) {
    http::request_parser<http::string_body> parser;
    parser.eager(true);
    error_code error;
    std::size_t used = 0;
    while (!parser.is_done() && !error) {
      used += parser.put(boost::asio::buffer(k_request.substr(used)), error);
    }
    if (error || parser.get().body() != "hello") {
      return "a request was not parsed";
    }
  }
  return nullptr;
}

const char* serialize_responses() {
  const auto response = make_response();
  for (int message = 0; message < k_messages; ++message) {
    http::response_serializer<http::string_body> serializer(response);
    std::size_t written = 0;
    error_code error;
    while (!serializer.is_done() && !error) {
      serializer.next(error, [&](error_code& /*error*/, const auto& buffers) {
        const std::size_t size = boost::beast::buffer_bytes(buffers);
        written += size;
        serializer.consume(size);
      });
    }
    if (error || written <= k_body_size) {
      return "a response was not written";
    }
  }
  return nullptr;
}

const char* create_headers() {
  std::ptrdiff_t created = 0;
  for (int list = 0; list < k_header_lists; ++list) {
    http::fields fields;
    fields.insert(http::field::host, "example.com");
    fields.insert(http::field::content_length, "4");
    created += std::distance(fields.begin(), fields.end());
  }
  return created == 2 * k_header_lists ? nullptr : "headers are missing";
}

const char* read_and_write() {
  constexpr std::size_t k_written = 7;
  constexpr std::size_t k_read = 5;
  boost::beast::flat_buffer buffer;
  for (int time = 0; time < k_messages; ++time) {
    for (std::size_t byte = 0; byte < k_written; ++byte) {
      std::memset(buffer.prepare(1).data(), 'A', 1);
      buffer.commit(1);
    }
    buffer.consume(k_read);
  }
  return buffer.size() == k_messages * (k_written - k_read) ? nullptr : "bytes are missing";
}

void parse(benchmark::State& state) {
  measure(state, parse_requests);
}

void serialize(benchmark::State& state) {
  measure(state, serialize_responses);
}

void headers(benchmark::State& state) {
  measure(state, create_headers);
}

void buffers(benchmark::State& state) {
  measure(state, read_and_write);
}

ALLOCGATE_WORKLOAD(parse, "beast/http1_parse_1000", (beast_row("the HTTP/1.1 codec alone: requests parsed")));
ALLOCGATE_WORKLOAD(serialize, "beast/http1_serialize_1000", (beast_row("the HTTP/1.1 codec alone: responses written")));
ALLOCGATE_WORKLOAD(headers, "beast/creating_10000_headers", (beast_row("lists of headers: two headers, 10 000 times")));
ALLOCGATE_WORKLOAD(buffers, "beast/bytebuffer_lots_of_rw", (beast_row("flat_buffer: small writes and reads")));

}  // namespace

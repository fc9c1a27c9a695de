// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Buffers and codecs of libevent, without sockets.
//
// libevent/bytebuffer_lots_of_rw: 1000 times seven bytes are added one by one and five are taken away. An evbuffer is a
// chain of chunks: a chunk that was read is given back, so that few are made for all of it.
// libevent/byte_to_message_1000_lines: 1000 lines, each of which evbuffer_readln copies out: one allocation a line.
// libevent/byte_to_message_1000_length_prefixed: 1000 times a length of four bytes and as many bytes, looked at in
// place and taken away; /anew: each copied out into a buffer of its own. libevent/creating_10000_headers: 10 000 lists
// of two headers, three allocations each: the entry, its name, its value. libevent/parse_1000_uris: 1000 URIs with all
// their parts: the URI, the text that is taken apart, and six parts. libevent/read_10000_chunks_from_file: 10 000 reads
// of one byte from a file, each into a chunk of its own that is read and given back; /lazily: the file is mapped and
// added as one segment, and bytes are taken from it.
//
// counts per iteration of libevent/bytebuffer_lots_of_rw: 4 allocations, 7 304 bytes (libevent 2.1.12)
// counts per iteration of libevent/byte_to_message_1000_lines: 1 002 allocations, 107 672 bytes (libevent 2.1.12)
// counts per iteration of libevent/byte_to_message_1000_length_prefixed: 2 allocations, 65 672 bytes (libevent 2.1.12)
// counts per iteration of libevent/byte_to_message_1000_length_prefixed/anew: 1 002 allocations, 97 672 bytes
// (libevent 2.1.12)
// counts per iteration of libevent/creating_10000_headers: 60 000 allocations, 980 000 bytes (libevent 2.1.12)
// counts per iteration of libevent/parse_1000_uris: 8 000 allocations, 192 000 bytes (libevent 2.1.12)
// counts per iteration of libevent/read_10000_chunks_from_file: 10 002 allocations, 10 241 160 bytes (libevent 2.1.12)
// counts per iteration of libevent/read_10000_chunks_from_file/lazily: 3 allocations, 1 240 bytes (libevent 2.1.12)

#include "workloads/common/measure.hpp"
#include "workloads/libevent/libevent_description.hpp"

#include <allocgate/benchmark.hpp>

#include <event2/buffer.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace allocgate::suite;
using Buffer = std::unique_ptr<evbuffer, decltype(&evbuffer_free)>;

constexpr unsigned k_times = 1000;
constexpr std::size_t k_message_size = 32;
constexpr unsigned k_header_lists = 10000;
constexpr unsigned k_chunks = 10000;

Buffer make_buffer() {
  return {evbuffer_new(), &evbuffer_free};
}

const char* read_and_write() {
  constexpr std::size_t k_written = 7;
  constexpr std::size_t k_read = 5;
  const Buffer buffer = make_buffer();
  char taken[k_read] = {};
  for (unsigned time = 0; time < k_times; ++time) {
    for (std::size_t byte = 0; byte < k_written; ++byte) {
      evbuffer_add(buffer.get(), "A", 1);
    }
    if (evbuffer_remove(buffer.get(), static_cast<char*>(taken), k_read) != k_read) {
      return "bytes could not be read";
    }
  }
  return evbuffer_get_length(buffer.get()) == k_times * (k_written - k_read) ? nullptr : "bytes are missing";
}

const char* decode_lines(const std::string& lines) {
  const Buffer buffer = make_buffer();
  evbuffer_add(buffer.get(), lines.data(), lines.size());
  unsigned decoded = 0;
  while (char* line = evbuffer_readln(buffer.get(), nullptr, EVBUFFER_EOL_CRLF)) {
    ++decoded;
    std::free(line);
  }
  return decoded == k_times ? nullptr : "lines are missing";
}

std::string length_prefixed() {
  std::string bytes;
  for (unsigned message = 0; message < k_times; ++message) {
    bytes += std::string{0, 0, 0, static_cast<char>(k_message_size)} + std::string(k_message_size, 'x');
  }
  return bytes;
}

const char* decode_messages(const std::string& bytes, bool own_buffers) {
  const Buffer buffer = make_buffer();
  evbuffer_add(buffer.get(), bytes.data(), bytes.size());
  unsigned decoded = 0;
  std::array<unsigned char, 4> length = {};
  while (evbuffer_remove(buffer.get(), length.data(), length.size()) == static_cast<int>(length.size())) {
    const std::size_t size = length.back();
    if (own_buffers) {
      std::vector<char> message(size);
      decoded += evbuffer_remove(buffer.get(), message.data(), size) == static_cast<int>(size) ? 1 : 0;
    } else {
      decoded += evbuffer_pullup(buffer.get(), static_cast<ev_ssize_t>(size)) != nullptr ? 1 : 0;
      evbuffer_drain(buffer.get(), size);
    }
  }
  return decoded == k_times ? nullptr : "messages are missing";
}

const char* create_headers() {
  for (unsigned list = 0; list < k_header_lists; ++list) {
    evkeyvalq headers = {nullptr, &headers.tqh_first};
    evhttp_add_header(&headers, "Host", "example.com");
    evhttp_add_header(&headers, "Content-Length", "4");
    const char* length = evhttp_find_header(&headers, "content-length");
    if (length == nullptr || *length != '4') {
      return "a header is missing";
    }
    evhttp_clear_headers(&headers);
  }
  return nullptr;
}

const char* parse_uris() {
  constexpr int k_port = 5432;
  for (unsigned time = 0; time < k_times; ++time) {
    evhttp_uri* uri = evhttp_uri_parse("postgres://user:pass@db.example.com:5432/name?sslmode=require#part");
    if (uri == nullptr || evhttp_uri_get_port(uri) != k_port) {
      return "a URI was not parsed";
    }
    evhttp_uri_free(uri);
  }
  return nullptr;
}

const char* read_chunks(int file) {
  const Buffer buffer = make_buffer();
  unsigned chunks = 0;
  lseek(file, 0, SEEK_SET);
  while (evbuffer_read(buffer.get(), file, 1) == 1) {
    ++chunks;
    evbuffer_drain(buffer.get(), 1);
  }
  return chunks == k_chunks ? nullptr : "chunks are missing";
}

const char* take_from_segment(int file) {
  const Buffer buffer = make_buffer();
  evbuffer_file_segment* segment = evbuffer_file_segment_new(file, 0, k_chunks, EVBUF_FS_DISABLE_SENDFILE);
  evbuffer_add_file_segment(buffer.get(), segment, 0, k_chunks);
  evbuffer_file_segment_free(segment);
  unsigned chunks = 0;
  char byte = 0;
  while (evbuffer_remove(buffer.get(), &byte, 1) == 1 && byte == 'X') {
    ++chunks;
  }
  return chunks == k_chunks ? nullptr : "chunks are missing";
}

void with_file(benchmark::State& state, const char* (*run_once)(int)) {
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> file(std::tmpfile(), &std::fclose);
  const std::string text(k_chunks, 'X');
  if (!file || std::fwrite(text.data(), 1, text.size(), file.get()) != text.size() || std::fflush(file.get()) != 0) {
    state.SkipWithError("the file could not be written");
    return;
  }
  measure_after_first_use(state, [&] { return run_once(fileno(file.get())); });
}

void buffers(benchmark::State& state) {
  measure_after_first_use(state, read_and_write);
}

void lines(benchmark::State& state) {
  std::string text;
  for (unsigned line = 0; line < k_times; ++line) {
    text += "a line that is longer than a short string\r\n";
  }
  measure_after_first_use(state, [&] { return decode_lines(text); });
}

void messages(benchmark::State& state) {
  const std::string bytes = length_prefixed();
  measure_after_first_use(state, [&] { return decode_messages(bytes, false); });
}

void own_buffers(benchmark::State& state) {
  const std::string bytes = length_prefixed();
  measure_after_first_use(state, [&] { return decode_messages(bytes, true); });
}

void headers(benchmark::State& state) {
  measure_after_first_use(state, create_headers);
}

void uris(benchmark::State& state) {
  measure_after_first_use(state, parse_uris);
}

void chunks(benchmark::State& state) {
  with_file(state, read_chunks);
}

void lazily(benchmark::State& state) {
  with_file(state, take_from_segment);
}

ALLOCGATE_WORKLOAD(buffers, "libevent/bytebuffer_lots_of_rw", (libevent_row("evbuffer: small writes and reads")));
ALLOCGATE_WORKLOAD(lines, "libevent/byte_to_message_1000_lines", (libevent_row("a decoder: lines, evbuffer_readln")));
ALLOCGATE_WORKLOAD(messages, "libevent/byte_to_message_1000_length_prefixed",
                   (libevent_row("a decoder: a length, then as many bytes, evbuffer_pullup")));
ALLOCGATE_WORKLOAD(own_buffers, "libevent/byte_to_message_1000_length_prefixed/anew",
                   (libevent_row("the same with a new buffer for each message, against looking in place")));
ALLOCGATE_WORKLOAD(headers, "libevent/creating_10000_headers",
                   (libevent_row("lists of headers: two headers, 10 000 times")));
ALLOCGATE_WORKLOAD(uris, "libevent/parse_1000_uris", (libevent_row("URIs taken apart, evhttp_uri")));
ALLOCGATE_WORKLOAD(chunks, "libevent/read_10000_chunks_from_file",
                   (libevent_row("files: 10 000 reads of one byte into a buffer")));
ALLOCGATE_WORKLOAD(lazily, "libevent/read_10000_chunks_from_file/lazily",
                   (libevent_row("the same from a mapped segment, against reads into the buffer")));

}  // namespace

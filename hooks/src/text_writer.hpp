// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Formats text without the libc's formatting, which may allocate, and writes it with as few write calls as it can.
// One thread.
#pragma once

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "system_calls.hpp"

namespace allocgate::hooks {

class TextWriter {
public:
  explicit TextWriter(long descriptor) : m_descriptor(descriptor) {}
  ~TextWriter() { flush(); }
  TextWriter(const TextWriter&) = delete;
  TextWriter& operator=(const TextWriter&) = delete;

  TextWriter& operator<<(char character) {
    if (m_length == sizeof(m_buffer)) {
      flush();
    }
    m_buffer[m_length++] = character;
    return *this;
  }

  TextWriter& operator<<(const char* text) {
    for (; *text != '\0'; ++text) {
      *this << *text;
    }
    return *this;
  }

  TextWriter& operator<<(uint64_t value) {
    char digits[20];
    size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + value % 10);
      value /= 10;
    } while (value != 0);
    while (count != 0) {
      *this << digits[--count];
    }
    return *this;
  }

  TextWriter& operator<<(int64_t value) {
    if (value < 0) {
      *this << '-';
    }
    return *this << (value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  }

  /* A JSON string. Bytes that are not ASCII are passed on: paths are bytes, and mostly UTF-8. */
  TextWriter& quoted(const char* text) {
    *this << '"';
    for (; *text != '\0'; ++text) {
      const auto byte = static_cast<unsigned char>(*text);
      if (byte == '"' || byte == '\\') {
        *this << '\\' << *text;
      } else if (byte < 0x20) {
        *this << "\\u00"
              << "0123456789abcdef"[byte >> 4] << "0123456789abcdef"[byte & 0xf];
      } else {
        *this << *text;
      }
    }
    return *this << '"';
  }

  void flush() {
    size_t written = 0;
    while (written < m_length) {
      const long result = write_file(m_descriptor, m_buffer + written, m_length - written);
      if (result == -EINTR) {
        continue;
      }
      if (result <= 0) {
        break;
      }
      written += static_cast<size_t>(result);
    }
    m_length = 0;
  }

private:
  long m_descriptor;
  size_t m_length = 0;
  char m_buffer[512];
};

}  // namespace allocgate::hooks

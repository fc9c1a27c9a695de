// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// Reads the numbers of DWARF in memory: fixed sizes, LEB128, encoded pointers. Beyond the end everything is 0.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace allocgate::hooks {

/* Pointer encodings of exception handling tables (DW_EH_PE_...). */
constexpr uint8_t k_encoding_omitted = 0xff;
constexpr uint8_t k_encoding_format = 0x0f;
constexpr uint8_t k_encoding_base = 0x70;
constexpr uint8_t k_encoding_indirect = 0x80;
constexpr uint8_t k_base_here = 0x10;
constexpr uint8_t k_base_table = 0x30;

class ByteReader {
public:
  ByteReader() = default;
  ByteReader(const uint8_t* begin, const uint8_t* end) : m_at(begin), m_end(end) {}

  bool has_more() const { return m_at < m_end; }
  const uint8_t* position() const { return m_at; }
  const uint8_t* end() const { return m_end; }

  template <typename T>
  T fixed() {
    T value{};
    if (static_cast<size_t>(m_end - m_at) < sizeof(T) || m_at > m_end) {
      m_at = m_end;
      return value;
    }
    __builtin_memcpy(&value, m_at, sizeof(T));
    m_at += sizeof(T);
    return value;
  }

  void skip(uint64_t bytes) { m_at = bytes < static_cast<uint64_t>(m_end - m_at) ? m_at + bytes : m_end; }

  uint64_t unsigned_leb() {
    uint64_t value = 0;
    for (unsigned shift = 0; has_more(); shift += 7) {
      const uint8_t byte = *m_at++;
      value |= shift < 64 ? static_cast<uint64_t>(byte & 0x7f) << shift : 0;
      if ((byte & 0x80) == 0) {
        break;
      }
    }
    return value;
  }

  int64_t signed_leb() {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte = 0;
    do {
      byte = fixed<uint8_t>();
      value |= shift < 64 ? static_cast<uint64_t>(byte & 0x7f) << shift : 0;
      shift += 7;
    } while ((byte & 0x80) != 0 && has_more());
    if (shift < 64 && (byte & 0x40) != 0) {
      value |= ~uint64_t{0} << shift;
    }
    return static_cast<int64_t>(value);
  }

  /* `table` is what table-relative pointers are relative to. Indirect ones are not followed: only personality routines
   * are, which nobody asks for. */
  uintptr_t encoded(uint8_t encoding, uintptr_t table) {
    if (encoding == k_encoding_omitted) {
      return 0;
    }
    const auto here = reinterpret_cast<uintptr_t>(m_at);
    uintptr_t value = unbased(encoding & k_encoding_format);
    if (value != 0 && (encoding & k_encoding_base) == k_base_here) {
      value += here;
    } else if (value != 0 && (encoding & k_encoding_base) == k_base_table) {
      value += table;
    }
    return value;
  }

private:
  uintptr_t unbased(uint8_t format) {
    switch (format) {
      case 0x1:
        return unsigned_leb();
      case 0x2:
        return fixed<uint16_t>();
      case 0x3:
        return fixed<uint32_t>();
      case 0x9:
        return static_cast<uintptr_t>(signed_leb());
      case 0xa:
        return static_cast<uintptr_t>(static_cast<intptr_t>(fixed<int16_t>()));
      case 0xb:
        return static_cast<uintptr_t>(static_cast<intptr_t>(fixed<int32_t>()));
      default:
        return fixed<uintptr_t>();
    }
  }

  const uint8_t* m_at = nullptr;
  const uint8_t* m_end = nullptr;
};

}  // namespace allocgate::hooks

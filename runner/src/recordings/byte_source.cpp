// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/byte_source.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

namespace allocgate {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_piece = std::size_t{256} * 1024;

[[noreturn]] void refuse(const std::string& name, const std::string& reason) {
  throw Error(ExitCode::unreadable_input, fmt::format("cannot read {}: {}", name, reason));
}

class PlainSource final : public ByteSource {
public:
  explicit PlainSource(const fs::path& file)
      : m_name(shown_file(file)),
        m_descriptor(file == "-" ? ::dup(STDIN_FILENO) : ::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (m_descriptor < 0) {
      refuse(m_name, std::system_category().message(errno) + (errno == ENOENT ? "; check the name" : ""));
    }
  }
  PlainSource(const PlainSource&) = delete;
  PlainSource& operator=(const PlainSource&) = delete;
  ~PlainSource() override { ::close(m_descriptor); }

  std::size_t read(std::span<char> buffer) override {
    std::size_t filled = 0;
    while (filled < buffer.size()) {
      const ssize_t got = ::read(m_descriptor, buffer.data() + filled, buffer.size() - filled);
      if (got == 0) {
        break;
      }
      if (got > 0) {
        filled += static_cast<std::size_t>(got);
      } else if (errno != EINTR) {
        refuse(m_name, std::system_category().message(errno) + (errno == EISDIR ? "; name a recording in it" : ""));
      }
    }
    return filled;
  }

private:
  std::string m_name;
  int m_descriptor;
};

/// A source whose beginning was looked at and comes again.
class ReplayedSource final : public ByteSource {
public:
  ReplayedSource(std::string beginning, std::unique_ptr<ByteSource> rest)
      : m_beginning(std::move(beginning)), m_rest(std::move(rest)) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t replayed = std::min(buffer.size(), m_beginning.size() - m_position);
    std::copy_n(m_beginning.data() + m_position, replayed, buffer.data());
    m_position += replayed;
    return replayed + (replayed < buffer.size() ? m_rest->read(buffer.subspan(replayed)) : 0);
  }

private:
  std::string m_beginning;
  std::size_t m_position = 0;
  std::unique_ptr<ByteSource> m_rest;
};

/// What gzip and zstd have in common: compressed pieces in, and a place in the file to name.
class Unpacker : public ByteSource {
public:
  Unpacker(std::string name, std::unique_ptr<ByteSource> packed)
      : m_name(std::move(name)), m_packed(std::move(packed)), m_piece(k_piece) {}

protected:
  /// The next piece; empty at the end of the file.
  std::span<char> next_piece() {
    m_before_piece += m_length;
    m_length = m_packed->read(m_piece);
    return std::span(m_piece).first(m_length);
  }
  [[noreturn]] void refuse_at(std::size_t position_in_piece, const std::string& reason) const {
    refuse(m_name, fmt::format("byte {}: {}", m_before_piece + position_in_piece, reason));
  }

private:
  std::string m_name;
  std::unique_ptr<ByteSource> m_packed;
  std::vector<char> m_piece;
  std::size_t m_length = 0;
  std::size_t m_before_piece = 0;
};

class GzipSource final : public Unpacker {
public:
  GzipSource(std::string name, std::unique_ptr<ByteSource> packed) : Unpacker(std::move(name), std::move(packed)) {
    if (::inflateInit2(&m_stream, k_gzip_window) != Z_OK) {
      throw std::bad_alloc();
    }
  }
  ~GzipSource() override { ::inflateEnd(&m_stream); }

  std::size_t read(std::span<char> buffer) override {
    m_stream.next_out = reinterpret_cast<Bytef*>(buffer.data());
    m_stream.avail_out = static_cast<uInt>(buffer.size());
    while (m_stream.avail_out != 0) {
      if (m_stream.avail_in == 0 && !refill()) {
        break;
      }
      const int status = ::inflate(&m_stream, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        // Files that were appended to one another are one text.
        ::inflateReset(&m_stream);
        m_between_members = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        refuse_at(m_piece_length - m_stream.avail_in,
                  fmt::format("the gzip data is damaged ({})", m_stream.msg == nullptr ? "unknown" : m_stream.msg));
      } else {
        m_between_members = false;
      }
    }
    return buffer.size() - m_stream.avail_out;
  }

private:
  static constexpr int k_gzip_window = 15 + 16;

  bool refill() {
    const std::span<char> piece = next_piece();
    if (piece.empty()) {
      if (!m_between_members) {
        refuse_at(0, "the file ends in the middle of its gzip data: it was cut");
      }
      return false;
    }
    m_piece_length = piece.size();
    m_stream.next_in = reinterpret_cast<Bytef*>(piece.data());
    m_stream.avail_in = static_cast<uInt>(piece.size());
    return true;
  }

  z_stream m_stream{};
  std::size_t m_piece_length = 0;
  bool m_between_members = false;
};

class ZstdSource final : public Unpacker {
public:
  ZstdSource(std::string name, std::unique_ptr<ByteSource> packed)
      : Unpacker(std::move(name), std::move(packed)), m_stream(::ZSTD_createDStream()) {
    if (m_stream == nullptr) {
      throw std::bad_alloc();
    }
  }
  ZstdSource(const ZstdSource&) = delete;
  ZstdSource& operator=(const ZstdSource&) = delete;
  ~ZstdSource() override { ::ZSTD_freeDStream(m_stream); }

  std::size_t read(std::span<char> buffer) override {
    ZSTD_outBuffer out{buffer.data(), buffer.size(), 0};
    while (out.pos < out.size) {
      if (m_in.pos == m_in.size && !m_output_waits && !refill()) {
        break;
      }
      const std::size_t hint = ::ZSTD_decompressStream(m_stream, &out, &m_in);
      if (::ZSTD_isError(hint) != 0) {
        refuse_at(m_in.pos, fmt::format("the zstd data is damaged ({})", ::ZSTD_getErrorName(hint)));
      }
      m_inside_frame = hint != 0;
      m_output_waits = hint != 0 && out.pos == out.size;
    }
    return out.pos;
  }

private:
  bool refill() {
    const std::span<char> piece = next_piece();
    if (piece.empty() && m_inside_frame) {
      refuse_at(0, "the file ends in the middle of its zstd data: it was cut");
    }
    m_in = {piece.data(), piece.size(), 0};
    return !piece.empty();
  }

  ZSTD_DStream* m_stream;
  ZSTD_inBuffer m_in{nullptr, 0, 0};
  bool m_inside_frame = false;
  bool m_output_waits = false;
};

}  // namespace

std::string shown_file(const fs::path& file) {
  return file == "-" ? "standard input" : file.string();
}

std::unique_ptr<ByteSource> open_recording(const fs::path& file) {
  const std::string name = shown_file(file);
  std::unique_ptr<ByteSource> source = std::make_unique<PlainSource>(file);
  std::string beginning(4, '\0');
  beginning.resize(source->read(beginning));
  if (beginning.empty()) {
    refuse(name, "it is empty; record it again");
  }
  auto whole = std::make_unique<ReplayedSource>(beginning, std::move(source));
  if (beginning.substr(0, 2) == "\x1f\x8b") {
    return std::make_unique<GzipSource>(name, std::move(whole));
  }
  if (beginning == "\x28\xb5\x2f\xfd") {
    return std::make_unique<ZstdSource>(name, std::move(whole));
  }
  return whole;
}

std::string read_all(ByteSource& source) {
  std::string content;
  while (true) {
    const std::size_t before = content.size();
    content.resize(before + std::max(k_piece, before / 2));
    const std::size_t got = source.read(std::span(content).subspan(before));
    if (got < content.size() - before) {
      content.resize(before + got);
      return content;
    }
  }
}

std::string gzipped(std::string_view text) {
  z_stream stream{};
  constexpr int k_gzip_window = 15 + 16;
  constexpr int k_memory = 8;
  constexpr int k_level = 6;
  if (::deflateInit2(&stream, k_level, Z_DEFLATED, k_gzip_window, k_memory, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(ExitCode::internal_error, "cannot compress the result: memory is short");
  }
  std::string result;
  std::vector<char> piece(k_piece);
  int status = Z_OK;
  while (status != Z_STREAM_END) {
    if (stream.avail_in == 0 && !text.empty()) {
      const std::size_t length = std::min<std::size_t>(text.size(), std::size_t{1} << 30U);
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
      stream.avail_in = static_cast<uInt>(length);
      text.remove_prefix(length);
    }
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(piece.size());
    status = ::deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(piece.data(), piece.size() - stream.avail_out);
  }
  ::deflateEnd(&stream);
  return result;
}

}  // namespace allocgate

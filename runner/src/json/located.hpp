// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace allocgate {

/// One JSON value that was read, with the place where it begins.
struct LocatedValue {
  enum class Kind { null, truth, integer, huge_integer, number, text, array, object };

  Kind kind = Kind::null;
  std::size_t offset = 0;  // of its first byte
  bool truth = false;
  std::int64_t integer = 0;
  double number = 0;
  std::string text;  // text; of a huge integer its digits
  std::vector<LocatedValue> elements;
  std::vector<std::pair<std::string, LocatedValue>> members;  // in the file's order, each name once
};

/// A JSON text as a tree that knows where everything is, so that every refusal can name the place. Immutable once read.
class LocatedDocument {
public:
  /// Reads `text`, which the caller keeps alive. `named` and `remedy` ("measure again with ...") go into messages.
  /// Throws Error (65) for anything that is not one whole JSON value, for names that come twice in one object and for
  /// values nested deeper than any document of ours.
  LocatedDocument(std::string_view text, std::filesystem::path named, std::string remedy);

  [[nodiscard]] const LocatedValue& root() const { return m_root; }

  /// Throws Error (65): "FILE: line L, column C (POINTER): reason; remedy".
  [[noreturn]] void refuse(std::size_t offset, std::string_view pointer, std::string_view reason) const;

  /// The line of the byte at `offset`, from 1 on.
  [[nodiscard]] std::size_t line_of(std::size_t offset) const;

private:
  std::string_view m_text;
  std::filesystem::path m_named;
  std::string m_remedy;
  LocatedValue m_root;
};

/// `name` as one step of a JSON pointer (RFC 6901): "/" and "~" escaped.
std::string pointer_step(std::string_view name);

}  // namespace allocgate

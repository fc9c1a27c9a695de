// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "recordings/pprof_parts.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

namespace allocgate {

std::uint64_t PprofParts::number(protozero::pbf_reader& message) const {
  if (!message.has_wire_type(protozero::pbf_wire_type::varint)) {
    refuse("a field that should be a number is none");
  }
  return message.get_uint64();
}

std::int64_t PprofParts::signed_number(protozero::pbf_reader& message) const {
  return static_cast<std::int64_t>(number(message));
}

protozero::data_view PprofParts::inner(protozero::pbf_reader& message) const {
  if (!message.has_wire_type(protozero::pbf_wire_type::length_delimited)) {
    refuse("a field that should be a message or a text is none");
  }
  return message.get_view();
}

void PprofParts::refuse(const std::string& reason) const {
  throw Error(ExitCode::unreadable_input, fmt::format("cannot read {}: byte {}: {}", m_name, m_position, reason));
}

}  // namespace allocgate

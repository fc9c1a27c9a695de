// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "recordings/pprof_fields.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <protozero/pbf_message.hpp>

namespace allocgate {

template <typename Tag>
using PprofMessage = protozero::pbf_message<Tag>;

/// The parts of a pprof profile one after another, with the place for messages. What a part holds is checked here:
/// protozero takes it for granted. One thread.
class PprofParts {
public:
  /// `content` outlives this.
  PprofParts(std::string_view content, std::string name) : m_content(content), m_name(std::move(name)) {}

  /// Gives every part of the profile to `use`, which reads it and says so with take(), or leaves it.
  template <typename Use>
  void for_each_part(const Use& use) {
    PprofMessage<pprof::Profile> profile(protozero::data_view(m_content.data(), m_content.size()));
    while (profile.next()) {
      m_position = static_cast<std::size_t>(profile.data().data() - m_content.data());
      m_is_taken = false;
      use(profile);
      if (!m_is_taken) {
        profile.skip();
      }
    }
  }
  void take() { m_is_taken = true; }

  /// The value of a field. Throws Error (65) when it is of another kind.
  std::uint64_t number(protozero::pbf_reader& message) const;
  std::int64_t signed_number(protozero::pbf_reader& message) const;
  protozero::data_view inner(protozero::pbf_reader& message) const;

  /// Throws Error (65): "cannot read FILE: byte N: reason".
  [[noreturn]] void refuse(const std::string& reason) const;

private:
  std::string_view m_content;
  std::string m_name;
  std::size_t m_position = 0;
  bool m_is_taken = false;
};

}  // namespace allocgate

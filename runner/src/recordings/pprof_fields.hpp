// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <cstdint>
#include <string_view>

#include <protozero/types.hpp>

// The fields of pprof's profile.proto that we read and write, and what our own files say in comments.
namespace allocgate::pprof {

enum class Profile : protozero::pbf_tag_type {
  sample_type = 1,
  sample = 2,
  mapping = 3,
  location = 4,
  function = 5,
  string_table = 6,
  comment = 13,
  default_sample_type = 14,
};
enum class ValueType : protozero::pbf_tag_type { type = 1, unit = 2 };
enum class Sample : protozero::pbf_tag_type { location_id = 1, value = 2, label = 3 };
enum class Label : protozero::pbf_tag_type { key = 1, str = 2, num = 3, num_unit = 4 };
enum class Mapping : protozero::pbf_tag_type {
  id = 1,
  memory_start = 2,
  memory_limit = 3,
  file_offset = 4,
  filename = 5,
  has_functions = 7,
  has_filenames = 8,
  has_line_numbers = 9,
  has_inline_frames = 10,
};
enum class Location : protozero::pbf_tag_type { id = 1, mapping_id = 2, address = 3, line = 4 };
enum class Line : protozero::pbf_tag_type { function_id = 1, line = 2 };
enum class Function : protozero::pbf_tag_type { id = 1, name = 2, system_name = 3, filename = 4 };

// A sample's label for the sizes of its blocks: ours, a text as size_class_label() has it, and the number of bytes that
// Go's and tcmalloc's heap profiles have.
constexpr std::string_view k_size_class_label = "size class";
constexpr std::string_view k_size_label = "bytes";

constexpr std::string_view k_comment_iterations = "allocgate iterations: ";
constexpr std::string_view k_comment_command = "allocgate command: ";
constexpr std::string_view k_comment_note = "allocgate note: ";

}  // namespace allocgate::pprof

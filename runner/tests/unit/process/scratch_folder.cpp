// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "scratch_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

namespace allocgate {

ScratchFolder::ScratchFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "allocgate-test-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) {
    throw std::runtime_error("cannot make " + name);
  }
  m_path = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(m_path, ignored);
}

std::filesystem::path ScratchFolder::write(std::string_view name, std::string_view content) const {
  const std::filesystem::path file = m_path / name;
  std::ofstream(file, std::ios::binary) << content;
  return file;
}

std::filesystem::path ScratchFolder::write_program(std::string_view name, std::string_view content) const {
  const std::filesystem::path file = write(name, content);
  std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  return file;
}

ScopedVariable::ScopedVariable(const char* name, const std::string& value)
    : m_name(name), m_was_set(std::getenv(name) != nullptr), m_previous(m_was_set ? std::getenv(name) : "") {
  ::setenv(name, value.c_str(), 1);
}

ScopedVariable::~ScopedVariable() {
  if (m_was_set) {
    ::setenv(m_name, m_previous.c_str(), 1);
  } else {
    ::unsetenv(m_name);
  }
}

}  // namespace allocgate

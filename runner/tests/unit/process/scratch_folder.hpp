// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace allocgate {

/// A folder of one test, removed with it.
class ScratchFolder {
public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] std::filesystem::path write(std::string_view name, std::string_view content) const;
  [[nodiscard]] std::filesystem::path write_program(std::string_view name, std::string_view content) const;

private:
  std::filesystem::path m_path;
};

/// A variable of this process for the length of a test.
class ScopedVariable {
public:
  ScopedVariable(const char* name, const std::string& value);
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;
  ~ScopedVariable();

private:
  const char* m_name;
  bool m_was_set;
  std::string m_previous;
};

}  // namespace allocgate

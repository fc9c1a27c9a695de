// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "process/launcher.hpp"

#include <allocgate/hook_record.h>

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace allocgate {

/// What a measured process would leave: writes into the record named in its environment, as the hooks do.
class PlayedProcess {
public:
  explicit PlayedProcess(const LaunchSpec& spec);
  PlayedProcess(const PlayedProcess&) = delete;
  PlayedProcess& operator=(const PlayedProcess&) = delete;
  ~PlayedProcess();

  static constexpr int k_pid = 4'000'001;  // above every real one, so that it is never alive

  /// Claims a process entry that ended well; `index` counts from 0.
  allocgate_process_entry& image(std::int32_t pid = k_pid, std::string_view executable = "/bin/played");
  /// Claims a block of the last image.
  allocgate_block& block();
  /// Announces that `program` is started as `pid` by the command.
  allocgate_execution_entry& announce(std::int32_t pid, std::string_view program);
  /// Publishes a window of the last image.
  allocgate_window_entry& window(std::uint64_t iterations, std::uint64_t allocations);
  allocgate_record_header& header() { return *m_header; }

  /// The file that a variable names.
  void write_file(std::string_view variable, std::string_view content) const;
  /// The numbers of ALLOCGATE_SUITE_WINDOWS.
  [[nodiscard]] std::vector<std::uint64_t> asked_windows() const;
  /// The argument that begins with `option`, without it; nothing when there is none.
  [[nodiscard]] std::optional<std::string> argument(std::string_view option) const;
  [[nodiscard]] const LaunchSpec& spec() const { return m_spec; }

private:
  const LaunchSpec& m_spec;
  std::size_t m_size = 0;
  std::byte* m_mapped = nullptr;
  allocgate_record_header* m_header = nullptr;
};

/// Plays the same script for each launch, which knows its number from 1.
class ScriptedLauncher final : public Launcher {
public:
  using Script = std::function<void(PlayedProcess& process, unsigned number, LaunchOutcome& outcome)>;

  explicit ScriptedLauncher(Script script) : m_script(std::move(script)) {}

  LaunchOutcome launch(const LaunchSpec& spec) override;
  [[nodiscard]] unsigned launches() const { return m_launches; }
  [[nodiscard]] const std::vector<LaunchSpec>& specs() const { return m_specs; }

private:
  Script m_script;
  unsigned m_launches = 0;
  std::vector<LaunchSpec> m_specs;
};

}  // namespace allocgate

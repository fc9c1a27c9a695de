// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/counted_launch.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "process/find_program.hpp"
#include "process/preload.hpp"

#include <allocgate/hook_record.h>
#include <allocgate/stack_record.h>

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace allocgate {
namespace {

constexpr std::string_view k_stacks_folder = "stacks";

}  // namespace

std::filesystem::path program_of(const std::vector<std::string>& command, const Environment& environment,
                                 const std::filesystem::path& working_directory) {
  const std::string search_path = environment.get("PATH").value_or(std::string(k_default_search_path));
  const std::filesystem::path path = find_program(command.front(), search_path, working_directory).path;
  return path.has_parent_path() ? working_directory / path : path;
}

CountedLaunch::CountedLaunch(const MeasureOptions& options)
    : m_options(options),
      m_record({.usable_sizes = options.usable_sizes, .follow_children = options.follow_children}) {}

void CountedLaunch::record_stacks(const StackCapture& capture, std::optional<std::size_t> window) {
  const std::filesystem::path folder = file(k_stacks_folder);
  std::error_code error;
  std::filesystem::create_directory(folder, error);
  if (error) {
    throw Error(ExitCode::not_measured,
                fmt::format("cannot make the folder '{}' for call stacks: {}; name another place with {}",
                            folder.string(), error.message(), k_record_folder_variable));
  }
  m_stack_variables = {{ALLOCGATE_ENV_STACKS, folder.string()}};
  if (window) {
    m_stack_variables.emplace_back(ALLOCGATE_ENV_STACKS_PAUSED, "1");
    m_stack_variables.emplace_back(ALLOCGATE_ENV_STACKS_WINDOW, fmt::format("{}", *window));
  }
  if (capture.live) {
    m_stack_variables.emplace_back(ALLOCGATE_ENV_STACKS_LIVE, "1");
  }
  if (capture.sample_bytes != 0) {
    m_stack_variables.emplace_back(ALLOCGATE_ENV_STACKS_SAMPLE, fmt::format("{}", capture.sample_bytes));
  }
}

std::optional<std::string> CountedLaunch::text_of(std::string_view name) const {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file(name), error)) {
    return std::nullopt;
  }
  return read_file(file(name));
}

LaunchSpec CountedLaunch::spec_of(std::vector<std::string> argv, Environment environment, Forwarder forwarder) const {
  Preload preload;
  preload.hooks = m_options.installation.hooks;
  preload.allocator = find_allocator(m_options.allocator).path;
  preload.existing = environment.get("LD_PRELOAD").value_or("");
  if (forwarder == Forwarder::yes) {
    preload.forwarder = m_options.installation.forwarder;
  }
  environment.set("LD_PRELOAD", preload_value(preload, m_record.folder()));
  environment.set(ALLOCGATE_ENV_RECORD, m_record.path().string());
  for (const auto& [name, value] : m_stack_variables) {
    environment.set(name, value);
  }

  LaunchSpec spec;
  spec.argv = std::move(argv);
  spec.environment = environment.entries();
  spec.working_directory = m_options.working_directory;
  spec.timeout = m_options.timeout;
  return spec;
}

void CountedLaunch::run(std::vector<std::string> argv, Environment environment, LaunchSpec::Output output,
                        Forwarder forwarder, Launcher& launcher) {
  LaunchSpec spec = spec_of(std::move(argv), std::move(environment), forwarder);
  spec.output = output;
  m_outcome = launcher.launch(spec);
  m_contents = m_record.read();
  if (!m_stack_variables.empty()) {
    m_stack_sections = read_stack_sections(file(k_stacks_folder));
  }
}

}  // namespace allocgate

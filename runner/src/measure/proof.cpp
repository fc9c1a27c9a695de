// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/proof.hpp"

#include "base/text.hpp"
#include "process/alive.hpp"
#include "process/environment.hpp"
#include "process/executable.hpp"
#include "process/find_program.hpp"
#include "process/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <system_error>

#include <csignal>

namespace allocgate {
namespace {

constexpr std::size_t k_kernel_name_bytes = 15;  // TASK_COMM_LEN without its end
constexpr std::size_t k_most_named = 3;

std::string with_last_lines(std::string sentence, const LaunchOutcome& outcome) {
  if (!outcome.last_lines.empty()) {
    sentence += fmt::format("; its last lines:\n{}", outcome.last_lines);
  }
  return sentence;
}

/// The last image of `pid`, or nothing.
const RecordProcess* last_image(const RecordContents& contents, std::int64_t pid) {
  const RecordProcess* last = nullptr;
  for (const RecordProcess& process : contents.processes) {
    if (process.pid == pid) {
      last = &process;
    }
  }
  return last;
}

/// Whether a later image took the place of the one at `index`.
bool is_replaced(const RecordContents& contents, std::size_t index) {
  const auto& processes = contents.processes;
  return std::any_of(processes.begin() + static_cast<std::ptrdiff_t>(index) + 1, processes.end(),
                     [&](const RecordProcess& later) { return later.pid == processes[index].pid; });
}

std::string not_counted_sentence(std::uint32_t images) {
  return fmt::format(
      "{} of its programs are not counted: the record was full or could not be opened, or their hooks "
      "are of another version than this command; install both from one build",
      images);
}

std::string blindness_of_start(const LaunchOutcome& outcome, const std::filesystem::path& program) {
  if (const auto reason = reason_for_blindness(program)) {
    return *reason;
  }
  return with_last_lines(
      fmt::format("the hooks did not start in {}: its record has no entry; something clears LD_PRELOAD, or its loader "
                  "does not obey it (musl, seccomp)",
                  printable(program.string())),
      outcome);
}

/// `name` as the kernel keeps it.
std::string_view kernel_name(std::string_view name) {
  return name.substr(0, k_kernel_name_bytes);
}

/// Whether a command ended as another program than the last one that its hooks saw: by exec of one without them.
std::optional<std::string> blindness_of_last_image(const LaunchOutcome& outcome, const RecordProcess& last,
                                                   const std::filesystem::path& program) {
  const std::filesystem::path executable = last.executable;
  if (last.exited || outcome.last_name.empty() || outcome.last_name == kernel_name(executable.filename().string()) ||
      outcome.last_name == kernel_name(program.filename().string())) {
    return std::nullopt;
  }
  // A program that was started by another name, as dash by sh, is that program still.
  const std::string search_path = own_variable("PATH").value_or(std::string(k_default_search_path));
  std::error_code error;
  const FoundProgram named = find_program(outcome.last_name, search_path);
  if (named.kind == FoundProgram::Kind::found && std::filesystem::equivalent(named.path, executable, error)) {
    return std::nullopt;
  }
  return fmt::format(
      "{} (process {}) replaced itself by {}, in which the hooks did not start: what that allocated is "
      "not counted",
      last.executable, last.pid, printable(outcome.last_name));
}

std::optional<std::string> blindness_of_process(const RecordProcess& process) {
  const std::string who = fmt::format("{} (process {})", process.executable, process.pid);
  if (process.other_version) {
    return fmt::format("{} has hooks of another version than this command; install both from one build", who);
  }
  if (process.shadowed) {
    return fmt::format("{} has an object whose allocations do not reach the hooks: it brings its own malloc", who);
  }
  if (process.events_lost) {
    return fmt::format("{} had more threads than the record has room for, so events are missing", who);
  }
  return std::nullopt;
}

}  // namespace

std::string signal_text(int signal) {
  const char* name = ::sigabbrev_np(signal);
  const char* description = ::sigdescr_np(signal);
  if (name == nullptr) {
    return fmt::format("signal {}", signal);
  }
  return description == nullptr ? fmt::format("SIG{}", name) : fmt::format("SIG{} ({})", name, description);
}

std::optional<Failure> failure_of_end(const LaunchOutcome& outcome, std::optional<std::chrono::milliseconds> timeout) {
  switch (outcome.kind) {
    case LaunchOutcome::Kind::exited:
      if (outcome.exit_code == 0) {
        return std::nullopt;
      }
      return Failure{WorkloadStatus::failed,
                     with_last_lines(fmt::format("it ended with exit code {}", outcome.exit_code), outcome)};
    case LaunchOutcome::Kind::signalled:
      return Failure{WorkloadStatus::failed,
                     with_last_lines(fmt::format("it was killed by {}", signal_text(outcome.signal)), outcome)};
    case LaunchOutcome::Kind::timed_out:
      return Failure{WorkloadStatus::timeout,
                     with_last_lines(fmt::format("it did not end within {} and was ended with its processes; give it "
                                                 "more with --timeout",
                                                 duration_text(timeout.value_or(std::chrono::milliseconds(0)))),
                                     outcome)};
    case LaunchOutcome::Kind::not_found:
    case LaunchOutcome::Kind::not_executable:
      return Failure{WorkloadStatus::failed, fmt::format("it cannot be started: {}", outcome.reason)};
  }
  return std::nullopt;
}

std::optional<Failure> failure_of_proof(const LaunchOutcome& outcome, const RecordContents& contents,
                                        const std::filesystem::path& program) {
  if (contents.damage) {
    return Failure{WorkloadStatus::blind, *contents.damage};
  }
  const RecordProcess* root = last_image(contents, outcome.pid);
  if (root == nullptr && contents.images_not_counted > 0) {
    return Failure{WorkloadStatus::blind, not_counted_sentence(contents.images_not_counted)};
  }
  if (root == nullptr) {
    return Failure{WorkloadStatus::blind, blindness_of_start(outcome, program)};
  }
  for (const RecordProcess& process : contents.processes) {
    if (const auto reason = blindness_of_process(process)) {
      return Failure{WorkloadStatus::blind, *reason};
    }
  }
  if (const auto reason = blindness_of_last_image(outcome, *root, program)) {
    return Failure{WorkloadStatus::blind, *reason};
  }
  if (contents.images_not_counted > 0) {
    return Failure{WorkloadStatus::blind, not_counted_sentence(contents.images_not_counted)};
  }
  return std::nullopt;
}

std::vector<std::string> process_notes(const LaunchOutcome& outcome, const RecordContents& contents) {
  std::vector<std::string> notes;
  std::vector<std::string> unseen;
  for (std::size_t index = 0; index < contents.processes.size(); ++index) {
    const RecordProcess& process = contents.processes[index];
    if (process.exited || process.pid == outcome.pid || is_replaced(contents, index)) {
      continue;
    }
    const std::string who = fmt::format("{} (process {})", process.executable, process.pid);
    if (is_alive(process.pid)) {
      notes.push_back(fmt::format("{} was still running: it is counted up to the end of the command", who));
    } else {
      unseen.push_back(who);
    }
  }
  if (!unseen.empty()) {
    const std::size_t shown = std::min(unseen.size(), k_most_named);
    notes.push_back(fmt::format(
        "{} of the processes left by _exit, were killed, or became a program without the hooks, whose allocations are "
        "not counted; their hooks cannot tell which: {}{}",
        unseen.size(), joined(std::span(unseen).first(shown), ", "), shown < unseen.size() ? ", ..." : ""));
  }
  return notes;
}

}  // namespace allocgate

// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "measure/proof.hpp"

#include "base/text.hpp"
#include "process/alive.hpp"
#include "process/blindness.hpp"
#include "process/environment.hpp"
#include "process/find_program.hpp"
#include "process/printable.hpp"

#include <allocgate/hook_record.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <span>
#include <system_error>

#include <csignal>

namespace allocgate {
namespace {

constexpr std::size_t k_kernel_name_bytes = 15;  // TASK_COMM_LEN without its end
constexpr std::size_t k_most_named = 3;
constexpr std::string_view k_lost_hooks =
    "the hooks did not start there: something cleared or changed LD_PRELOAD or ALLOCGATE_RECORD in the environment "
    "(env "
    "-i, su, sudo, another allocgate), or keeps the loader from opening them (another user, chroot, a sandbox); let "
    "them "
    "through";

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

/// Whether another program took the place of the image at `index`.
bool is_replaced(const RecordContents& contents, std::size_t index) {
  const auto& processes = contents.processes;
  const std::int64_t pid = processes[index].pid;
  const auto& blind = contents.blind_programs;
  return std::any_of(processes.begin() + static_cast<std::ptrdiff_t>(index) + 1, processes.end(),
                     [&](const RecordProcess& later) { return later.pid == pid; }) ||
         std::any_of(blind.begin(), blind.end(), [&](const RecordBlindProgram& program) { return program.pid == pid; });
}

/// Why images whose hooks did start found no place in the record.
std::string reason_not_counted(const RecordContents& contents) {
  if (contents.exhausted) {
    return fmt::format(
        "there were more processes or threads than the record has room for ({} processes, {} threads); count its parts "
        "one by one",
        ALLOCGATE_RECORD_DEFAULT_PROCESSES, ALLOCGATE_RECORD_DEFAULT_BLOCKS);
  }
  return "the hooks there are of another version than this command, or could not map its record (a limit of memory, "
         "seccomp); install both from one build, and see `allocgate doctor`";
}

std::string not_counted_sentence(const RecordContents& contents) {
  const std::uint32_t images = contents.images_not_counted;
  return fmt::format("{} not counted: {}",
                     images == 1 ? "one of its programs is" : fmt::format("{} of its programs are", images),
                     reason_not_counted(contents));
}

std::string blindness_of_start(const LaunchOutcome& outcome, const RecordContents& contents,
                               const std::filesystem::path& program) {
  const std::string name = printable(program.string());
  if (auto reason = reason_for_blindness(program)) {
    return *reason;
  }
  if (contents.images_not_counted > 0) {
    return fmt::format("{} is not counted: {}", name, reason_not_counted(contents));
  }
  return with_last_lines(
      fmt::format("the hooks did not start in {}: something clears LD_PRELOAD or ALLOCGATE_RECORD before it, or keeps "
                  "its loader from opening them (a sandbox, seccomp); let them through, or count the program inside",
                  name),
      outcome);
}

/// Whether the runner's own children matter, or the command alone.
bool is_followed(const RecordBlindProgram& program, const RecordContents& contents, const LaunchOutcome& outcome) {
  return contents.follow_children || program.pid == outcome.pid;
}

std::string name_of_process(const RecordBlindProgram& program) {
  return program.pid == 0 ? program.program : fmt::format("{} (process {})", program.program, program.pid);
}

/// Programs that were started by counted ones and have no hooks: the first with its reason, the others by name.
std::optional<std::string> blindness_of_programs(const LaunchOutcome& outcome, const RecordContents& contents) {
  std::vector<std::string> names;
  std::optional<std::string> reason;
  for (const RecordBlindProgram& program : contents.blind_programs) {
    if (!is_followed(program, contents, outcome)) {
      continue;
    }
    names.push_back(name_of_process(program));
    if (!reason) {
      reason = reason_for_blindness(program.program);
    }
  }
  if (names.empty()) {
    return std::nullopt;
  }
  if (!reason) {
    reason = contents.images_not_counted > 0 ? reason_not_counted(contents) : std::string(k_lost_hooks);
  }
  const std::size_t shown = std::min(names.size(), k_most_named);
  return fmt::format("{}{} {} not counted: {}", joined(std::span(names).first(shown), ", "),
                     shown < names.size() ? fmt::format(" and {} more", names.size() - shown) : "",
                     names.size() == 1 ? "is" : "are", *reason);
}

/// `name` as the kernel keeps it.
std::string_view kernel_name(std::string_view name) {
  return name.substr(0, k_kernel_name_bytes);
}

/// Whether a command ended as another program than the last one that its hooks saw: by exec of one without them.
std::optional<std::string> blindness_of_last_image(const LaunchOutcome& outcome, const RecordProcess& last,
                                                   const std::filesystem::path& program) {
  const std::filesystem::path executable = last.executable;
  // A program may name itself, and a killed one could not tell its hooks, so a name alone proves nothing then.
  if (last.exited || outcome.kind != LaunchOutcome::Kind::exited || outcome.last_name.empty() ||
      outcome.last_name == kernel_name(executable.filename().string()) ||
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
  const auto reason = named.kind == FoundProgram::Kind::found ? reason_for_blindness(named.path) : std::nullopt;
  return fmt::format("{} (process {}) replaced itself by {}, which is not counted: {}", last.executable, last.pid,
                     printable(outcome.last_name), reason.value_or(std::string(k_lost_hooks)));
}

std::optional<std::string> blindness_of_process(const RecordProcess& process) {
  const std::string who = fmt::format("{} (process {})", process.executable, process.pid);
  const std::string object = process.uncounted_object.empty() ? "an object of it" : process.uncounted_object;
  if (process.shadowed) {
    return reason_for_shadow(process.executable)
        .value_or(fmt::format("{} is not wholly counted: the allocations of {} do not reach the hooks, because it "
                              "brings its own malloc or is bound to another; load it without, and name an allocator "
                              "with --allocator",
                              who, object));
  }
  if (auto reason = reason_for_hidden_shadow(process.executable)) {
    return reason;
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
  if (root == nullptr) {
    return Failure{WorkloadStatus::blind, blindness_of_start(outcome, contents, program)};
  }
  for (const RecordProcess& process : contents.processes) {
    if (const auto reason = blindness_of_process(process)) {
      return Failure{WorkloadStatus::blind, *reason};
    }
  }
  if (const auto reason = blindness_of_programs(outcome, contents)) {
    return Failure{WorkloadStatus::blind, *reason};
  }
  if (const auto reason = blindness_of_last_image(outcome, *root, program)) {
    return Failure{WorkloadStatus::blind, *reason};
  }
  if (contents.images_not_counted > 0) {
    return Failure{WorkloadStatus::blind, not_counted_sentence(contents)};
  }
  if (contents.executions_exhausted) {
    return Failure{WorkloadStatus::blind,
                   fmt::format("it started more than {} programs, and whether each was counted is not known; count its "
                               "parts one by one",
                               ALLOCGATE_RECORD_DEFAULT_EXECUTIONS)};
  }
  return std::nullopt;
}

bool was_started(const LaunchOutcome& outcome) {
  return outcome.kind != LaunchOutcome::Kind::not_found && outcome.kind != LaunchOutcome::Kind::not_executable;
}

std::optional<Failure> failure_of_command(const LaunchOutcome& outcome, const RecordContents& contents,
                                          std::optional<std::chrono::milliseconds> timeout,
                                          const std::filesystem::path& program) {
  if (!was_started(outcome) || outcome.kind == LaunchOutcome::Kind::timed_out) {
    return failure_of_end(outcome, timeout);
  }
  return failure_of_proof(outcome, contents, program);
}

std::vector<std::string> executable_notes(const RecordContents& contents) {
  std::vector<std::string> notes;
  std::set<std::string> seen;
  const auto add = [&](std::string note) {
    if (seen.insert(note).second) {
      notes.push_back(std::move(note));
    }
  };
  std::set<std::string> executables;
  for (const RecordProcess& process : contents.processes) {
    const std::string& object = process.uncounted_object;
    if (process.own_new) {
      add(fmt::format("{} has its own operator new: what that hands out of memory it already has is not counted",
                      object.empty() ? process.executable : object));
    }
    if (process.other_namespace) {
      add(
          fmt::format("{} was loaded with a C library of its own (by dlmopen or LD_AUDIT), so what it allocates is not "
                      "counted; load it with dlopen to count it",
                      object.empty() ? "an object of " + process.executable : object));
    }
    if (executables.insert(process.executable).second) {
      for (std::string& note : uncounted_heap_notes(process.executable)) {
        add(std::move(note));
      }
    }
  }
  return notes;
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
    notes.push_back(
        fmt::format("{} of the processes ended by a signal, or otherwise unseen by their hooks, and {} counted "
                    "up to there: {}{}",
                    unseen.size(), unseen.size() == 1 ? "is" : "are", joined(std::span(unseen).first(shown), ", "),
                    shown < unseen.size() ? ", ..." : ""));
  }
  const std::vector<std::string> of_programs = executable_notes(contents);
  notes.insert(notes.end(), of_programs.begin(), of_programs.end());
  return notes;
}

}  // namespace allocgate

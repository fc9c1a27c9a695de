// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/launcher.hpp"

#include "base/error.hpp"
#include "process/blindness.hpp"
#include "process/descriptor.hpp"
#include "process/executable.hpp"
#include "process/find_program.hpp"
#include "process/output_tail.hpp"
#include "process/supervisor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

namespace allocgate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds k_interrupt_grace{2000};
constexpr std::chrono::milliseconds k_interrupt_poll{100};  // once the event stays readable, later ones are looked for
constexpr std::size_t k_read_bytes = 64 * 1024;
constexpr const char* k_shell = "/bin/sh";

/// Pointers into strings, ended by null, as exec wants them.
std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  for (const std::string& text : strings) {
    pointers.push_back(const_cast<char*>(text.c_str()));
  }
  pointers.push_back(nullptr);
  return pointers;
}

void set_nonblocking(const Descriptor& descriptor) {
  ::fcntl(descriptor.get(), F_SETFL, ::fcntl(descriptor.get(), F_GETFL) | O_NONBLOCK);
}

Descriptor open_null() {
  Descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null.is_open()) {
    throw Error(ExitCode::internal_error, fmt::format("cannot open /dev/null: {}", std::strerror(errno)));
  }
  return above_standard_streams(std::move(null));
}

/// All signals blocked on this thread, so that a fork begins without handlers running in it.
class BlockedSignals {
public:
  BlockedSignals() {
    sigset_t all;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &m_previous);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;
  ~BlockedSignals() { ::pthread_sigmask(SIG_SETMASK, &m_previous, nullptr); }
  [[nodiscard]] const sigset_t& previous() const { return m_previous; }

private:
  sigset_t m_previous{};
};

/// One program from its start to its end.
class Launch {
public:
  Launch(const LaunchSpec& spec, std::string path) : m_spec(spec), m_path(std::move(path)) {}

  LaunchOutcome run() {
    start();
    while (!m_ended) {
      wait_for_event();
    }
    drain(m_output, OutputTail::Stream::output);
    drain(m_error, OutputTail::Stream::error);
    ::waitpid(m_supervisor, nullptr, 0);
    m_outcome.duration = Clock::now() - m_started;
    m_outcome.last_lines = m_tail.text();
    if (captured()) {
      throw_if_interrupted();
    }
    return m_outcome;
  }

private:
  [[nodiscard]] bool captured() const { return m_spec.output == LaunchSpec::Output::capture; }

  void start() {
    Pipe control = make_socket_pipe();
    Pipe reports = make_pipe();
    Pipe output;
    Pipe error;
    Descriptor input;
    std::vector<std::string> shell_words = m_spec.argv;
    shell_words.front() = m_path;
    shell_words.insert(shell_words.begin(), k_shell);
    const std::vector<char*> argv = pointers_to(m_spec.argv);
    const std::vector<char*> shell_argv = pointers_to(shell_words);
    const std::vector<char*> environment = pointers_to(m_spec.environment);

    SupervisedProgram program;
    program.path = m_path.c_str();
    program.argv = argv.data();
    program.shell_argv = inspect_executable(m_path).looks_like_text ? shell_argv.data() : nullptr;
    program.environment = environment.data();
    program.working_directory = m_spec.working_directory.empty() ? nullptr : m_spec.working_directory.c_str();
    program.control = control.read_end.get();
    program.report = reports.write_end.get();
    program.foreground = !captured();
    program.end_descendants = m_spec.end_descendants;
    program.grace_ms = m_spec.grace.count();
    if (captured()) {
      output = make_pipe();
      error = make_pipe();
      input = open_null();
      program.input = input.get();
      program.output = output.write_end.get();
      program.error = error.write_end.get();
      program.events = m_spec.events.data();
      program.event_count = std::min(m_spec.events.size(), k_most_perf_events);
      set_nonblocking(output.read_end);
      set_nonblocking(error.read_end);
    }
    m_started = Clock::now();
    m_supervisor = fork_supervisor(program);
    m_control = std::move(control.write_end);
    m_reports = std::move(reports.read_end);
    m_output = std::move(output.read_end);
    m_error = std::move(error.read_end);
    if (m_spec.timeout) {
      m_deadline = m_started + *m_spec.timeout;
    }
  }

  static pid_t fork_supervisor(SupervisedProgram& program) {
    const BlockedSignals blocked;
    program.foreground_mask = blocked.previous();
    const pid_t pid = ::fork();
    if (pid == 0) {
      supervise(program);
    }
    if (pid < 0) {
      throw Error(ExitCode::internal_error,
                  fmt::format("cannot start a process: {}; see `ulimit -u` and free memory", std::strerror(errno)));
    }
    return pid;
  }

  void wait_for_event() {
    // A negative descriptor is passed over by poll().
    std::array<pollfd, 5> events = {pollfd{m_reports.get(), POLLIN, 0}, pollfd{m_output.get(), POLLIN, 0},
                                    pollfd{m_error.get(), POLLIN, 0},
                                    pollfd{m_interrupts_seen > 0 ? -1 : interrupt_descriptor(), POLLIN, 0},
                                    pollfd{m_outcome.stopped ? -1 : m_spec.stop, POLLIN, 0}};
    ::poll(events.data(), events.size(), poll_timeout());
    if (events[1].revents != 0) {
      drain(m_output, OutputTail::Stream::output);
    }
    if (events[2].revents != 0) {
      drain(m_error, OutputTail::Stream::error);
    }
    if (events[0].revents != 0) {
      read_report();
    }
    if (events[4].revents != 0) {
      m_outcome.stopped = true;
      command({SupervisorCommand::Kind::end_all, 0});
    }
    handle_interrupt();
    if (m_deadline && Clock::now() >= *m_deadline) {
      m_deadline.reset();
      if (m_interrupts_seen == 0 || !captured()) {
        m_outcome.kind = LaunchOutcome::Kind::timed_out;
      }
      command({SupervisorCommand::Kind::end_all, 0});
    }
  }

  [[nodiscard]] int poll_timeout() const {
    std::optional<std::chrono::milliseconds> wait;
    if (m_interrupts_seen > 0) {
      wait = k_interrupt_poll;
    }
    if (m_deadline) {
      // Rounded up: a wait that ends a fraction too early would spin.
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(*m_deadline - Clock::now());
      wait = std::max(std::chrono::milliseconds(0), wait ? std::min(*wait, left) : left);
    }
    constexpr std::chrono::milliseconds k_longest{std::chrono::hours(24)};
    return wait ? static_cast<int>(std::min(*wait, k_longest).count()) : -1;
  }

  void handle_interrupt() {
    const auto interrupt = interrupt_received();
    if (!interrupt || interrupt->times == m_interrupts_seen) {
      return;
    }
    const bool impatient = m_interrupts_seen > 0;
    m_interrupts_seen = interrupt->times;
    if (!captured()) {
      // A key press reached the foreground program by itself.
      if (!interrupt->from_terminal) {
        command({SupervisorCommand::Kind::pass_on, interrupt->signal});
      }
      return;
    }
    command({impatient ? SupervisorCommand::Kind::end_all : SupervisorCommand::Kind::pass_on, interrupt->signal});
    m_deadline = Clock::now() + k_interrupt_grace;
  }

  void command(const SupervisorCommand& message) {
    // Fails only when the supervisor is gone, which its report tells.
    [[maybe_unused]] const auto sent = ::send(m_control.get(), &message, sizeof message, MSG_NOSIGNAL);
  }

  void read_report() {
    SupervisorReport message;
    if (::read(m_reports.get(), &message, sizeof message) != sizeof message) {
      ::waitpid(m_supervisor, nullptr, 0);
      throw Error(ExitCode::internal_error,
                  fmt::format("the process that watches over {} was killed; is the machine out of memory?", m_path));
    }
    switch (message.kind) {
      case SupervisorReport::Kind::started:
        m_outcome.pid = message.pid;
        break;
      case SupervisorReport::Kind::exec_failed:
        m_exec_failed = true;
        m_outcome.kind = LaunchOutcome::Kind::not_executable;
        m_outcome.reason = exec_failure(message.value);
        break;
      case SupervisorReport::Kind::fork_failed:
        ::waitpid(m_supervisor, nullptr, 0);
        throw Error(ExitCode::internal_error,
                    fmt::format("cannot start {}: {}; see `ulimit -u`", m_path, std::strerror(message.value)));
      case SupervisorReport::Kind::ended:
        m_ended = true;
        m_outcome.last_name = message.name;
        take_status(message.value);
        take_usage(message.usage);
        break;
    }
  }

  void take_status(int status) {
    if (m_exec_failed || m_outcome.kind == LaunchOutcome::Kind::timed_out) {
      return;
    }
    if (WIFSIGNALED(status)) {
      m_outcome.kind = LaunchOutcome::Kind::signalled;
      m_outcome.signal = WTERMSIG(status);
      m_outcome.core_dumped = WCOREDUMP(status);
    } else {
      m_outcome.exit_code = WEXITSTATUS(status);
    }
  }

  void take_usage(const SupervisorUsage& usage) {
    ResourceUse& used = m_outcome.used;
    used.wall_time = std::chrono::nanoseconds(usage.wall_ns);
    used.cpu_time = std::chrono::nanoseconds(usage.cpu_ns);
    used.page_faults = usage.page_faults;
    used.context_switches = usage.context_switches;
    if (usage.peak_resident_bytes > usage.resident_before_bytes) {
      used.peak_resident_bytes = usage.peak_resident_bytes;
    }
    const std::size_t count = std::min(m_spec.events.size(), k_most_perf_events);
    used.events.assign(usage.events, usage.events + count);
  }

  [[nodiscard]] std::string exec_failure(int error) const {
    if (!m_spec.working_directory.empty() && ::access(m_spec.working_directory.c_str(), X_OK) != 0) {
      return fmt::format("{}: {}", m_spec.working_directory.string(), std::strerror(errno));
    }
    if (error == ENOENT || error == ENOEXEC) {
      if (auto reason = reason_for_exec_failure(m_path)) {
        return *reason;
      }
    }
    return fmt::format("{}: {}", m_path, std::strerror(error));
  }

  void drain(Descriptor& stream, OutputTail::Stream which) {
    if (!stream.is_open()) {
      return;
    }
    std::array<char, k_read_bytes> bytes;
    for (;;) {
      const auto length = ::read(stream.get(), bytes.data(), bytes.size());
      if (length <= 0) {
        if (length == 0 || (errno != EAGAIN && errno != EINTR)) {
          stream.reset();
        }
        return;
      }
      const std::string_view text(bytes.data(), static_cast<std::size_t>(length));
      m_tail.add(which, text);
      if (which == OutputTail::Stream::output && m_spec.keep_standard_output) {
        const std::size_t room = k_most_standard_output - m_outcome.standard_output.size();
        m_outcome.standard_output += text.substr(0, room);
      }
      if (m_ended) {
        continue;
      }
      return;  // a program that prints without end must not keep us from its deadline
    }
  }

  const LaunchSpec& m_spec;
  std::string m_path;
  LaunchOutcome m_outcome;
  OutputTail m_tail;
  Descriptor m_control;
  Descriptor m_reports;
  Descriptor m_output;
  Descriptor m_error;
  Clock::time_point m_started;
  std::optional<Clock::time_point> m_deadline;
  pid_t m_supervisor = 0;
  unsigned m_interrupts_seen = 0;
  bool m_ended = false;
  bool m_exec_failed = false;
};

}  // namespace

LaunchOutcome PosixLauncher::launch(const LaunchSpec& spec) {
  throw_if_interrupted();
  if (spec.argv.empty()) {
    throw Error(ExitCode::usage, "no command to start was given");
  }
  const std::string search_path =
      environment_value(spec.environment, "PATH").value_or(std::string(k_default_search_path));
  const FoundProgram program = find_program(spec.argv.front(), search_path, spec.working_directory);
  if (program.kind != FoundProgram::Kind::found) {
    LaunchOutcome outcome;
    outcome.kind = program.kind == FoundProgram::Kind::not_found ? LaunchOutcome::Kind::not_found
                                                                 : LaunchOutcome::Kind::not_executable;
    outcome.reason = fmt::format("{}: {}; {}", program.path.string(), program.reason,
                                 outcome.kind == LaunchOutcome::Kind::not_found
                                     ? "build or install it, or correct its name"
                                     : "name a program that may be executed, as `chmod +x` allows");
    return outcome;
  }
  return Launch(spec, program.path.string()).run();
}

}  // namespace allocgate

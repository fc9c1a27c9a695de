// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/supervisor.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

namespace allocgate {
namespace {

constexpr std::int64_t k_kilobyte = 1024;
constexpr std::int64_t k_give_up_ms = 5000;  // a descendant that changed its user cannot be killed by us
constexpr int k_kill_again_ms = 5;           // orphans arrive while their parents die
constexpr unsigned k_most_descriptor = ~0U;  // of close_range
constexpr int k_exec_failed_status = 127;    // never seen: the report of exec_failed came first
constexpr std::size_t k_stat_bytes = 512;    // the fields of /proc/PID/stat up to the parent, whatever its name
constexpr std::size_t k_proc_path_bytes = 32;
constexpr std::size_t k_folder_bytes = 4096;  // one getdents64

std::int64_t now_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

std::int64_t now_ms() {
  return now_ns() / 1'000'000;
}

std::int64_t to_ns(const timeval& time) {
  return time.tv_sec * 1'000'000'000 + time.tv_usec * 1000;
}

void report(int descriptor, const SupervisorReport& message) {
  // Smaller than PIPE_BUF, so it is written whole; a runner that is gone needs no report.
  [[maybe_unused]] const auto written = ::write(descriptor, &message, sizeof message);
}

void close_range_of(unsigned first, unsigned last) {
  if (first <= last && ::syscall(SYS_close_range, first, last, 0U) != 0) {
    const auto limit = static_cast<unsigned>(std::clamp(::sysconf(_SC_OPEN_MAX), 0L, static_cast<long>(INT_MAX)));
    for (unsigned fd = first; fd <= std::min(last, limit); ++fd) {
      ::close(static_cast<int>(fd));
    }
  }
}

/// Closes everything above 2 that is not the program's: other launches' pipes must end when the runner closes them.
void close_others(const SupervisedProgram& program) {
  std::array kept = {program.input, program.output, program.error, program.control, program.report};
  std::sort(kept.begin(), kept.end());
  unsigned first = STDERR_FILENO + 1;
  for (const int fd : kept) {
    if (fd < static_cast<int>(first)) {
      continue;
    }
    close_range_of(first, static_cast<unsigned>(fd) - 1);
    first = static_cast<unsigned>(fd) + 1;
  }
  close_range_of(first, k_most_descriptor);
}

void reset_signals(const SupervisedProgram& program) {
  if (program.foreground) {
    ::sigprocmask(SIG_SETMASK, &program.foreground_mask, nullptr);
    return;
  }
  for (int number = 1; number < NSIG; ++number) {
    ::signal(number, SIG_DFL);
  }
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void redirect(int from, int to) {
  if (from >= 0) {
    ::dup2(from, to);
  }
}

[[noreturn]] void become(const SupervisedProgram& program) {
  if (!program.foreground) {
    ::setpgid(0, 0);
  }
  redirect(program.input, STDIN_FILENO);
  redirect(program.output, STDOUT_FILENO);
  redirect(program.error, STDERR_FILENO);
  int failure = 0;
  if (program.working_directory != nullptr && ::chdir(program.working_directory) != 0) {
    failure = errno;
  } else {
    reset_signals(program);
    ::execve(program.path, program.argv, program.environment);
    failure = errno;
    if (failure == ENOEXEC && program.shell_argv != nullptr) {
      ::execve(program.shell_argv[0], program.shell_argv, program.environment);
      failure = errno;
    }
  }
  report(program.report, {SupervisorReport::Kind::exec_failed, ::getpid(), failure, {}, {}});
  ::_exit(k_exec_failed_status);
}

/// "/proc/PID" and `file` behind it.
void proc_path(std::array<char, k_proc_path_bytes>& path, pid_t pid, const char* file) {
  std::array<char, 12> digits{};
  std::size_t first = digits.size() - 1;
  for (pid_t rest = pid; rest > 0; rest /= 10) {
    digits[--first] = static_cast<char>('0' + rest % 10);
  }
  std::strcpy(path.data(), "/proc/");
  std::strcat(path.data(), digits.data() + first);
  std::strcat(path.data(), file);
}

/// The parent of process `pid`, or 0.
pid_t parent_of(pid_t pid) {
  std::array<char, k_proc_path_bytes> path{};
  proc_path(path, pid, "/stat");
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  std::array<char, k_stat_bytes> text{};
  const auto length = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  // "pid (name) state parent ...": a name may hold anything, also parentheses, so the last one counts.
  const char* after_name = length > 0 ? std::strrchr(text.data(), ')') : nullptr;
  if (after_name == nullptr || std::strlen(after_name) < std::strlen(") S 1")) {
    return 0;
  }
  pid_t parent = 0;
  for (const char* digit = after_name + std::strlen(") S "); *digit >= '0' && *digit <= '9'; ++digit) {
    parent = parent * 10 + (*digit - '0');
  }
  return parent;
}

pid_t to_pid(const char* name) {
  pid_t pid = 0;
  for (; *name >= '0' && *name <= '9'; ++name) {
    pid = pid * 10 + (*name - '0');
  }
  return *name == '\0' ? pid : 0;
}

/// Kills every child of this process: the program and the orphans that were given to us.
void kill_children() {
  const int folder = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    return;
  }
  struct Entry {
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;
    unsigned char type;
    char name[1];
  };
  const pid_t self = ::getpid();
  alignas(Entry) std::array<char, k_folder_bytes> entries;
  for (;;) {
    const long filled = ::syscall(SYS_getdents64, folder, entries.data(), entries.size());
    if (filled <= 0) {
      break;
    }
    for (long at = 0; at < filled;) {
      const auto* bytes = entries.data() + at;
      std::uint16_t length = 0;
      std::memcpy(&length, bytes + offsetof(Entry, length), sizeof length);
      const char* name = bytes + offsetof(Entry, name);
      const pid_t pid = to_pid(name);
      if (pid > 0 && parent_of(pid) == self) {
        ::kill(pid, SIGKILL);
      }
      at += length;
    }
  }
  ::close(folder);
}

class Supervisor {
public:
  explicit Supervisor(const SupervisedProgram& program) : m_program(program) {}

  void start() {
    for (std::size_t index = 0; index < m_program.event_count; ++index) {
      m_events[index] = open_perf_event(m_program.events[index]);
    }
    m_started_ns = now_ns();
    m_root = ::fork();
    if (m_root == 0) {
      become(m_program);
    }
    if (m_root < 0) {
      report(m_program.report, {SupervisorReport::Kind::fork_failed, 0, errno, {}, {}});
      ::_exit(1);
    }
    if (!m_program.foreground) {
      ::setpgid(m_root, m_root);  // here too: whichever of the two runs first, a signal finds the group
    }
    report(m_program.report, {SupervisorReport::Kind::started, m_root, 0, {}, {}});
  }

  /// Until the program ended by itself, or everything was ended.
  void watch() {
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    m_children_event = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    std::array<pollfd, 2> events = {pollfd{m_program.control, POLLIN, 0}, pollfd{m_children_event, POLLIN, 0}};
    while (!m_root_ended) {
      ::poll(events.data(), events.size(), -1);
      if (events[0].revents != 0 && !obey()) {
        end_all();
        break;
      }
      forget_child_events();
      reap();
    }
    // What ignores the signal of a measured program that was interrupted, as a shell's background jobs do, goes with
    // it.
    if (m_root_ended && (m_passed_on || m_program.end_descendants) && !m_program.foreground) {
      end_all();
    }
    report(m_program.report, m_end);
  }

private:
  /// False for end_all.
  bool obey() {
    SupervisorCommand command;
    const auto length = ::read(m_program.control, &command, sizeof command);
    if (length != sizeof command || command.kind == SupervisorCommand::Kind::end_all) {
      return false;
    }
    if (!m_root_ended) {
      ::kill(m_program.foreground ? m_root : -m_root, command.signal);
      m_passed_on = true;
    }
    return true;
  }

  void forget_child_events() const {
    signalfd_siginfo ignored;
    while (::read(m_children_event, &ignored, sizeof ignored) > 0) {
    }
  }

  /// Collects the dead. False when no child is left.
  bool reap() {
    for (;;) {
      siginfo_t dead{};
      if (::waitid(P_ALL, 0, &dead, WEXITED | WNOHANG | WNOWAIT) != 0) {
        return errno != ECHILD;
      }
      if (dead.si_pid == 0) {
        return true;
      }
      if (dead.si_pid == m_root) {
        m_root_ended = true;
        m_end = {SupervisorReport::Kind::ended, m_root, 0, {}, {}};
        m_end.usage.wall_ns = now_ns() - m_started_ns;
        read_name();  // now: the name goes when the process is waited for
      }
      int status = 0;
      rusage used{};
      ::wait4(dead.si_pid, &status, 0, &used);
      if (dead.si_pid == m_root) {
        m_end.value = status;
        take_usage(used);
      }
    }
  }

  void take_usage(const rusage& used) {
    SupervisorUsage& usage = m_end.usage;
    usage.cpu_ns = to_ns(used.ru_utime) + to_ns(used.ru_stime);
    usage.page_faults = used.ru_minflt + used.ru_majflt;
    usage.context_switches = used.ru_nvcsw + used.ru_nivcsw;
    usage.peak_resident_bytes = used.ru_maxrss * k_kilobyte;
    // The kernel lets a program's peak begin at what the process had that became it, which was a fork of this one.
    rusage own{};
    ::getrusage(RUSAGE_SELF, &own);
    usage.resident_before_bytes = own.ru_maxrss * k_kilobyte;
    for (std::size_t index = 0; index < m_program.event_count; ++index) {
      usage.events[index] = read_perf_event(m_events[index]);
    }
  }

  void read_name() {
    std::array<char, k_proc_path_bytes> path{};
    proc_path(path, m_root, "/comm");
    const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
      return;
    }
    const auto length = ::read(file, m_end.name, sizeof m_end.name - 1);
    ::close(file);
    if (length > 0 && m_end.name[length - 1] == '\n') {
      m_end.name[length - 1] = '\0';
    }
  }

  void end_all() {
    const std::int64_t deadline = now_ms() + m_program.grace_ms;
    bool children_left = reap();
    if (!m_root_ended) {
      ::kill(m_program.foreground ? m_root : -m_root, SIGTERM);
    }
    pollfd event{m_children_event, POLLIN, 0};
    while (children_left && !m_root_ended && now_ms() < deadline) {
      ::poll(&event, 1, static_cast<int>(std::max<std::int64_t>(deadline - now_ms(), 0)));
      forget_child_events();
      children_left = reap();
    }
    const std::int64_t give_up = now_ms() + k_give_up_ms;
    while (children_left && now_ms() < give_up) {
      kill_children();
      ::poll(&event, 1, k_kill_again_ms);
      forget_child_events();
      children_left = reap();
    }
  }

  const SupervisedProgram& m_program;
  pid_t m_root = 0;
  int m_children_event = -1;
  int m_events[k_most_perf_events] = {};
  std::int64_t m_started_ns = 0;
  SupervisorReport m_end;
  bool m_root_ended = false;
  bool m_passed_on = false;
};

}  // namespace

void supervise(const SupervisedProgram& program) {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  Supervisor supervisor(program);
  // A program in the foreground has its caller's descriptors; what is the runner's own is closed by its exec. Nobody
  // may wait for the end of a pipe that only the supervisor still holds.
  if (program.foreground) {
    supervisor.start();
    close_others(program);
  } else {
    close_others(program);
    supervisor.start();
  }
  supervisor.watch();
  ::_exit(0);
}

}  // namespace allocgate

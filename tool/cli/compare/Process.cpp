// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Process.h"

#include "support/Launch.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;

namespace {

constexpr int FromTerminal[] = {SIGINT, SIGQUIT};
volatile sig_atomic_t Interrupted = 0;

void noteInterrupt(int Signal) { Interrupted = Signal; }

int64_t ns(const timeval &T) {
  return int64_t(T.tv_sec) * 1'000'000'000 + int64_t(T.tv_usec) * 1000;
}

/// Returns when the child has ended, or kills it after `Limit` ns and returns
/// true. It remains to be waited for.
bool endAfter(pid_t Pid, int64_t Limit) {
  const auto End =
      std::chrono::steady_clock::now() + std::chrono::nanoseconds(Limit);
  siginfo_t Info{};
  while (waitid(P_PID, id_t(Pid), &Info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         !Info.si_pid) {
    if (std::chrono::steady_clock::now() >= End) {
      kill(Pid, SIGKILL);
      return true;
    }
    usleep(2'000);
  }
  return false;
}

} // namespace

Interrupts::Interrupts() {
  Interrupted = 0;
  struct sigaction Note{};
  Note.sa_handler = noteInterrupt;
  Note.sa_flags = SA_RESTART;
  for (size_t I = 0; I < std::size(FromTerminal); ++I)
    sigaction(FromTerminal[I], &Note, &Before[I]);
}

Interrupts::~Interrupts() {
  for (size_t I = 0; I < std::size(FromTerminal); ++I)
    sigaction(FromTerminal[I], &Before[I], nullptr);
}

int Interrupts::seen() { return Interrupted; }

llvm::Expected<RunOutcome> cli::runProgram(const RunRequest &Request) {
  constexpr int Flags = O_WRONLY | O_CREAT | O_TRUNC, Mode = 0666;
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  posix_spawn_file_actions_addopen(&Files, STDOUT_FILENO,
                                   Request.Output.c_str(), Flags, Mode);
  posix_spawn_file_actions_addopen(&Files, STDERR_FILENO,
                                   Request.Errors.c_str(), Flags, Mode);
  const auto Start = std::chrono::steady_clock::now();
  llvm::Expected<pid_t> Pid =
      support::spawn(Request.Program, Request.Arguments, Request.Environment,
                     &Files, /*Attributes=*/nullptr);
  posix_spawn_file_actions_destroy(&Files);
  if (!Pid)
    return Pid.takeError();
  RunOutcome Outcome;
  int Status = 0;
  rusage Usage{};
  if (Request.Limit)
    Outcome.Killed = endAfter(*Pid, *Request.Limit);
  while (wait4(*Pid, &Status, 0, &Usage) < 0 && errno == EINTR)
    continue;
  Outcome.Wall =
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - Start)
          .count();
  Outcome.Cpu = ns(Usage.ru_utime) + ns(Usage.ru_stime);
  Outcome.Preempted = uint64_t(Usage.ru_nivcsw);
  Outcome.Code = support::exitCodeOf(Status);
  return Outcome;
}

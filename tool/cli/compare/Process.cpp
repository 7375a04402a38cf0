// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Process.h"

#include "llvm/ADT/StringRef.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autoprof::cli;
using llvm::StringRef;

namespace {

constexpr int FromTerminal[] = {SIGINT, SIGQUIT};
volatile sig_atomic_t Interrupted = 0;

void noteInterrupt(int Signal) { Interrupted = Signal; }

bool redirect(const std::string &Path, int Target) {
  const int File =
      open(Path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return File >= 0 && dup2(File, Target) >= 0;
}

/// In the child: never returns. `Report` is closed by a successful exec.
[[noreturn]] void become(const RunRequest &R, char *const *Argv,
                         char *const *Environment, int Report) {
  for (int Signal : FromTerminal)
    signal(Signal, SIG_DFL);
  if (redirect(R.Output, STDOUT_FILENO) && redirect(R.Errors, STDERR_FILENO))
    execve(R.Program.c_str(), Argv, Environment);
  const int ErrorCode = errno;
  if (write(Report, &ErrorCode, sizeof ErrorCode) < 0)
    _exit(127);
  _exit(127);
}

std::vector<char *> pointersTo(const std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (const std::string &T : Texts)
    Result.push_back(const_cast<char *>(T.c_str()));
  Result.push_back(nullptr);
  return Result;
}

std::vector<std::string>
environmentWith(const std::map<std::string, std::string> &Added) {
  std::vector<std::string> Result;
  for (char **E = environ; *E; ++E)
    if (!Added.count(StringRef(*E).split('=').first.str()))
      Result.push_back(*E);
  for (const auto &[Name, Value] : Added)
    Result.push_back(Name + "=" + Value);
  return Result;
}

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

llvm::Expected<RunOutcome>
autoprof::cli::runProgram(const RunRequest &Request) {
  const std::vector<std::string> Texts = environmentWith(Request.Environment);
  const std::vector<char *> Argv = pointersTo(Request.Arguments),
                            Environment = pointersTo(Texts);
  int Report[2];
  if (pipe2(Report, O_CLOEXEC))
    return llvm::createStringError(llvm::Twine("cannot make a pipe: ") +
                                   std::strerror(errno));
  const auto Start = std::chrono::steady_clock::now();
  const pid_t Pid = fork();
  if (Pid == 0)
    become(Request, Argv.data(), Environment.data(), Report[1]);
  close(Report[1]);
  if (Pid < 0) {
    close(Report[0]);
    return llvm::createStringError(llvm::Twine("cannot start a process: ") +
                                   std::strerror(errno));
  }
  int ErrorCode = 0;
  const ssize_t Read = read(Report[0], &ErrorCode, sizeof ErrorCode);
  close(Report[0]);
  RunOutcome Outcome;
  int Status = 0;
  rusage Usage{};
  if (Request.Limit)
    Outcome.Killed = endAfter(Pid, *Request.Limit);
  while (wait4(Pid, &Status, 0, &Usage) < 0 && errno == EINTR)
    continue;
  Outcome.Wall =
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - Start)
          .count();
  if (Read == ssize_t(sizeof ErrorCode))
    return llvm::createStringError("cannot run '" + Request.Program +
                                   "': " + std::strerror(ErrorCode));
  Outcome.Cpu = ns(Usage.ru_utime) + ns(Usage.ru_stime);
  Outcome.Preempted = uint64_t(Usage.ru_nivcsw);
  Outcome.Code =
      WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
  return Outcome;
}

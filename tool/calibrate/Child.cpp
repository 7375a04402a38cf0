// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Child.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autoprof::calibrate;

namespace {

constexpr int RepliesInChild = 3;
/// A longer line is not a reply.
constexpr size_t LongestLine = 1 << 20;

/// Without what would change what is measured.
void prepareEnvironment(const Child::Variables &Environment) {
  for (const char *Name : {"CUDA_LAUNCH_BLOCKING", "CUDA_INJECTION64_PATH",
                           "NVTX_INJECTION64_PATH", "NCCL_DEBUG"})
    unsetenv(Name);
  for (const auto &[Name, Value] : Environment)
    setenv(Name.c_str(), Value.c_str(), 1);
}

/// In the child; returns only if it fails.
void become(const char *Program, char *const *Arguments, int Requests,
            int Replies, pid_t Parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != Parent)
    return; // It died before the line above.
  signal(SIGPIPE, SIG_DFL);
  int Null = open("/dev/null", O_RDWR | O_CLOEXEC);
  // Outside of the numbers that the files get.
  Requests = fcntl(Requests, F_DUPFD_CLOEXEC, 10);
  Replies = fcntl(Replies, F_DUPFD_CLOEXEC, 10);
  if (dup2(Requests, STDIN_FILENO) < 0 || dup2(Null, STDOUT_FILENO) < 0 ||
      dup2(Null, STDERR_FILENO) < 0 || dup2(Replies, RepliesInChild) < 0)
    return;
  execv(Program, Arguments);
}

std::string ending(int Status) {
  if (WIFSIGNALED(Status))
    return std::string("crashed (") + strsignal(WTERMSIG(Status)) + ")";
  return "ended with code " + std::to_string(WEXITSTATUS(Status));
}

} // namespace

llvm::Expected<std::unique_ptr<Child>>
Child::start(const std::string &Program,
             const std::vector<std::string> &Arguments,
             const Variables &Environment, Priority P) {
  std::vector<char *> Argv;
  for (const std::string &A : Arguments)
    Argv.push_back(const_cast<char *>(A.c_str()));
  Argv.push_back(nullptr);
  int ToChild[2], FromChild[2];
  if (pipe2(ToChild, O_CLOEXEC))
    return llvm::createStringError(llvm::Twine("cannot make a pipe: ") +
                                   std::strerror(errno));
  if (pipe2(FromChild, O_CLOEXEC)) {
    close(ToChild[0]);
    close(ToChild[1]);
    return llvm::createStringError(llvm::Twine("cannot make a pipe: ") +
                                   std::strerror(errno));
  }
  pid_t Self = getpid();
  pid_t Pid = fork();
  if (Pid == 0) {
    prepareEnvironment(Environment);
    if (P == Priority::Low)
      nice(19);
    become(Program.c_str(), Argv.data(), ToChild[0], FromChild[1], Self);
    _exit(127);
  }
  close(ToChild[0]);
  close(FromChild[1]);
  if (Pid < 0) {
    close(ToChild[1]);
    close(FromChild[0]);
    return llvm::createStringError(llvm::Twine("cannot start a process: ") +
                                   std::strerror(errno));
  }
  setpgid(Pid, Pid); // Whichever of the two comes first.
  return std::unique_ptr<Child>(new Child(Pid, ToChild[1], FromChild[0]));
}

Child::~Child() {
  constexpr int GraceMs = 5'000;
  end(GraceMs);
  close(Replies);
}

void Child::ask(llvm::StringRef Request) {
  // If it has ended, read() reports it.
  while (!Request.empty()) {
    ssize_t Written = write(Requests, Request.data(), Request.size());
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written <= 0)
      return;
    Request = Request.drop_front(Written);
  }
}

Child::Outcome Child::read(std::string &Line, int LimitMs,
                           const volatile std::sig_atomic_t *Interrupt) {
  using Clock = std::chrono::steady_clock;
  auto Limit = Clock::now() + std::chrono::milliseconds(LimitMs);
  for (;;) {
    if (*Interrupt)
      return Outcome::Interrupted;
    size_t End = Pending.find('\n');
    if (End != std::string::npos) {
      Line = Pending.substr(0, End);
      Pending.erase(0, End + 1);
      return Outcome::Line;
    }
    if (Pending.size() > LongestLine)
      return Outcome::Ended;
    if (Clock::now() >= Limit)
      return Outcome::Late;
    // In slices: a signal may have come just before poll().
    pollfd Poll = {Replies, POLLIN, 0};
    if (poll(&Poll, 1, std::min(LimitMs, 100)) <= 0)
      continue;
    char Buffer[4096];
    ssize_t Got = ::read(Replies, Buffer, sizeof(Buffer));
    if (Got > 0)
      Pending.append(Buffer, Got);
    else if (Got == 0 || errno != EINTR)
      return Outcome::Ended;
  }
}

std::string Child::end(int GraceMs) {
  if (!Pid)
    return "ended";
  close(Requests);
  constexpr int StepMs = 5;
  int Status = 0;
  pid_t Waited = waitpid(Pid, &Status, WNOHANG);
  for (int Ms = 0; Ms < GraceMs && Waited == 0; Ms += StepMs) {
    usleep(StepMs * 1000);
    Waited = waitpid(Pid, &Status, WNOHANG);
  }
  kill(-Pid, SIGKILL);
  while (Waited == 0 || (Waited < 0 && errno == EINTR))
    Waited = waitpid(Pid, &Status, 0);
  Pid = 0;
  return ending(Status);
}

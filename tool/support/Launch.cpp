// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Launch.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autoprof::support;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

constexpr int PassedOn[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
volatile pid_t Child = 0;

void passOn(int Signal, siginfo_t *Info, void *) {
  if (Child > 0 && Info->si_code == SI_USER)
    kill(Child, Signal);
}

/// In the child: never returns. `Report` is closed by a successful exec.
[[noreturn]] void become(const char *Path, char *const *Arguments,
                         const sigset_t &Mask, int Report) {
  for (int Signal : PassedOn)
    signal(Signal, SIG_DFL);
  sigprocmask(SIG_SETMASK, &Mask, nullptr);
  execv(Path, Arguments);
  int ErrorCode = errno;
  if (write(Report, &ErrorCode, sizeof(ErrorCode)) < 0)
    _exit(127);
  _exit(127);
}

/// Of a file that is there and executable, and that exec refused.
const char *whyNotRun(int Error) {
  switch (Error) {
  case ENOEXEC:
    return "it is not a program; a script needs a first line like #!/bin/sh";
  case ENOENT:
    return "the interpreter that it names (a script's first line, a program's "
           "dynamic loader) does not exist";
  default:
    return std::strerror(Error);
  }
}

} // namespace

llvm::Expected<std::string> autoprof::support::findProgram(StringRef Name) {
  if (!Name.contains('/')) {
    auto Found = llvm::sys::findProgramByName(Name);
    if (Found)
      return *Found;
    std::string Remedy;
    if (fs::exists(Name))
      Remedy = ("; did you mean './" + Name + "'?").str();
    else if (Name == "nvcc" && fs::can_execute("/usr/local/cuda/bin/nvcc"))
      Remedy = "; add /usr/local/cuda/bin to it";
    return llvm::createStringError("cannot run '" + Name +
                                   "': no such program in PATH" + Remedy);
  }
  fs::file_status Status;
  if (std::error_code E = fs::status(Name, Status))
    return llvm::createStringError("cannot run '" + Name + "': " + E.message());
  if (fs::is_directory(Status))
    return llvm::createStringError("cannot run '" + Name +
                                   "': it is a directory");
  if (!fs::can_execute(Name))
    return llvm::createStringError("cannot run '" + Name +
                                   "': it is not executable");
  return Name.str();
}

void autoprof::support::preload(StringRef Library) {
  if (Library.find_first_of(" :") != StringRef::npos)
    return;
  std::string Value;
  if (const char *Existing = std::getenv("LD_PRELOAD"); Existing && *Existing)
    Value = std::string(Existing) + ":";
  Value += Library.str();
  setenv("LD_PRELOAD", Value.c_str(), /*overwrite=*/1);
}

llvm::Expected<int>
autoprof::support::launch(const std::string &Path,
                          const std::vector<std::string> &Arguments) {
  std::vector<char *> Argv;
  for (const std::string &A : Arguments)
    Argv.push_back(const_cast<char *>(A.c_str()));
  Argv.push_back(nullptr);
  int Report[2];
  if (pipe2(Report, O_CLOEXEC))
    return llvm::createStringError(llvm::Twine("cannot make a pipe: ") +
                                   std::strerror(errno));

  // A signal that comes before the child is known must not be lost.
  sigset_t Block, Before;
  sigemptyset(&Block);
  struct sigaction Action{};
  Action.sa_sigaction = passOn;
  Action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (int Signal : PassedOn)
    sigaddset(&Block, Signal);
  sigprocmask(SIG_BLOCK, &Block, &Before);
  for (int Signal : PassedOn)
    sigaction(Signal, &Action, nullptr);

  pid_t Pid = fork();
  if (Pid < 0)
    return llvm::createStringError(llvm::Twine("cannot start a process: ") +
                                   std::strerror(errno));
  if (Pid == 0)
    become(Path.c_str(), Argv.data(), Before, Report[1]);
  Child = Pid;
  sigprocmask(SIG_SETMASK, &Before, nullptr);

  close(Report[1]);
  int ErrorCode = 0;
  ssize_t Read;
  do
    Read = read(Report[0], &ErrorCode, sizeof(ErrorCode));
  while (Read < 0 && errno == EINTR);
  close(Report[0]);
  int Status = 0;
  while (waitpid(Pid, &Status, 0) < 0 && errno == EINTR)
    continue;
  Child = 0;
  if (Read == ssize_t(sizeof(ErrorCode)))
    return llvm::createStringError("cannot run '" + Path +
                                   "': " + whyNotRun(ErrorCode));
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

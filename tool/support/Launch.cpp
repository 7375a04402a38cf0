// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Launch.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
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

std::vector<char *> pointersTo(const std::vector<std::string> &Texts) {
  std::vector<char *> Result;
  for (const std::string &T : Texts)
    Result.push_back(const_cast<char *>(T.c_str()));
  Result.push_back(nullptr);
  return Result;
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

std::vector<std::string> autoprof::support::environmentWith(
    const std::map<std::string, std::string> &Added,
    llvm::function_ref<bool(StringRef Name)> IsLeftOut) {
  std::vector<std::string> Result;
  for (char **Entry = environ; *Entry; ++Entry) {
    const StringRef Name = StringRef(*Entry).split('=').first;
    if (!Added.count(Name.str()) && !(IsLeftOut && IsLeftOut(Name)))
      Result.push_back(*Entry);
  }
  for (const auto &[Name, Value] : Added)
    Result.push_back(Name + "=" + Value);
  return Result;
}

llvm::Expected<pid_t>
autoprof::support::spawn(const std::string &Path,
                         const std::vector<std::string> &Arguments,
                         const std::map<std::string, std::string> &Added,
                         const posix_spawn_file_actions_t *Files,
                         const posix_spawnattr_t *Attributes) {
  const std::vector<std::string> Environment = environmentWith(Added);
  pid_t Pid = 0;
  if (int Error = posix_spawn(&Pid, Path.c_str(), Files, Attributes,
                              pointersTo(Arguments).data(),
                              pointersTo(Environment).data()))
    return llvm::createStringError("cannot run '" + Path +
                                   "': " + whyNotRun(Error));
  return Pid;
}

int autoprof::support::exitCodeOf(int Status) {
  return WIFSIGNALED(Status) ? 128 + WTERMSIG(Status) : WEXITSTATUS(Status);
}

llvm::Expected<int>
autoprof::support::launch(const std::string &Path,
                          const std::vector<std::string> &Arguments) {
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
    sigaction(Signal, &Action, nullptr); // The program starts without it.

  posix_spawnattr_t Attributes;
  posix_spawnattr_init(&Attributes);
  posix_spawnattr_setflags(&Attributes, POSIX_SPAWN_SETSIGMASK);
  posix_spawnattr_setsigmask(&Attributes, &Before);
  llvm::Expected<pid_t> Pid = spawn(Path, Arguments, {}, nullptr, &Attributes);
  posix_spawnattr_destroy(&Attributes);
  Child = Pid ? *Pid : 0;
  sigprocmask(SIG_SETMASK, &Before, nullptr);
  if (!Pid)
    return Pid.takeError();
  int Status = 0;
  while (waitpid(*Pid, &Status, 0) < 0 && errno == EINTR)
    continue;
  Child = 0;
  return exitCodeOf(Status);
}

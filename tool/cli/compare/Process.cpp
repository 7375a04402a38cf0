// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Process.h"

#include "support/Launch.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SHA256.h"

#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;

namespace {

constexpr int FromTerminal[] = {SIGINT, SIGQUIT};
volatile sig_atomic_t Interrupted = 0;

void noteInterrupt(int Signal) { Interrupted = Signal; }

int64_t ns(const timeval &T) {
  return int64_t(T.tv_sec) * 1'000'000'000 + int64_t(T.tv_usec) * 1000;
}

/// Kills a process and all that descend from it, which could keep the GPU busy.
void killWithChildren(pid_t Pid) {
  namespace fs = llvm::sys::fs;
  kill(Pid, SIGSTOP); // It starts no more.
  std::error_code Error;
  const std::string Threads = "/proc/" + std::to_string(Pid) + "/task";
  for (fs::directory_iterator I(Threads, Error), End; I != End && !Error;
       I.increment(Error)) {
    std::ifstream Children(I->path() + "/children");
    for (pid_t Child; Children >> Child;)
      killWithChildren(Child);
  }
  kill(Pid, SIGKILL);
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
      killWithChildren(Pid);
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

std::string cli::inFolder(StringRef Folder, StringRef Name) {
  llvm::SmallString<256> Path(Folder);
  llvm::sys::path::append(Path, Name);
  return Path.str().str();
}

std::string cli::hashOf(const std::string &Path) {
  auto File = llvm::MemoryBuffer::getFile(Path);
  if (!File)
    return "";
  llvm::SHA256 Hash;
  Hash.update((*File)->getBuffer());
  return llvm::toHex(Hash.final(), /*LowerCase=*/true);
}

std::vector<std::string> Runner::lastLines(size_t Count) const {
  auto File = llvm::MemoryBuffer::getFile(file("stderr"));
  llvm::SmallVector<StringRef> Lines;
  if (File)
    (*File)->getBuffer().rtrim().split(Lines, '\n', -1, /*KeepEmpty=*/false);
  const auto Last = llvm::ArrayRef(Lines).take_back(Count);
  return {Last.begin(), Last.end()};
}

void Runner::removePrinted() const {
  for (const char *Name : {"stdout", "stderr"})
    llvm::sys::fs::remove(file(Name));
}

int64_t Runner::passed() const {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - Start)
      .count();
}

llvm::Expected<RunOutcome> Runner::runProgram(const RunRequest &Request) const {
  llvm::Expected<std::string> Program =
      Request.IsOwn ? std::string("/proc/self/exe")
                    : support::findProgram(Request.Arguments[0]);
  if (!Program)
    return Program.takeError();
  constexpr int Flags = O_WRONLY | O_CREAT | O_TRUNC, Mode = 0666;
  posix_spawn_file_actions_t Files;
  posix_spawn_file_actions_init(&Files);
  for (auto [Target, Name] :
       {std::pair(STDOUT_FILENO, "stdout"), std::pair(STDERR_FILENO, "stderr")})
    posix_spawn_file_actions_addopen(&Files, Target, file(Name).c_str(), Flags,
                                     Mode);
  const int64_t Before = passed();
  llvm::Expected<pid_t> Pid =
      support::spawn(*Program, Request.Arguments, Request.Environment, &Files,
                     /*Attributes=*/nullptr);
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
  Outcome.Wall = passed() - Before;
  Outcome.Cpu = ns(Usage.ru_utime) + ns(Usage.ru_stime);
  Outcome.Preempted = uint64_t(Usage.ru_nivcsw);
  Outcome.Code = support::exitCodeOf(Status);
  return Outcome;
}

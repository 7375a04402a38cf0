// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Process.h"

#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using llvm::sys::RetryAfterSignal;

namespace autoprof::source {

/// clang's handlers would delete output files that belong to the original, or
/// jump back into the driver.
static void becomeQuiet() {
  llvm::CrashRecoveryContext::Disable();
  llvm::sys::unregisterHandlers();
  for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
                     SIGINT, SIGTERM, SIGHUP, SIGPIPE})
    std::signal(Signal, SIG_DFL);
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  int Null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (Null >= 0)
    dup2(Null, STDERR_FILENO);
}

ProcessCopy copyProcess() {
  int Ends[2];
  if (pipe2(Ends, O_CLOEXEC) != 0)
    return {};
  const pid_t Id = fork();
  if (Id < 0) {
    close(Ends[0]);
    close(Ends[1]);
    return {};
  }
  if (Id > 0) {
    close(Ends[1]);
    return {ProcessCopy::Original, Ends[0], Id};
  }
  close(Ends[0]);
  becomeQuiet();
  return {ProcessCopy::Copy, Ends[1], -1};
}

std::string receive(const ProcessCopy &Child) {
  std::string Bytes;
  char Part[16 * 1024];
  auto Read = [&] { return read(Child.Pipe, Part, sizeof Part); };
  while (ssize_t Size = RetryAfterSignal(-1, Read)) {
    if (Size < 0)
      break;
    Bytes.append(Part, Size);
  }
  close(Child.Pipe);
  int Status = 0;
  if (RetryAfterSignal(-1, waitpid, Child.Id, &Status, 0) != Child.Id ||
      !WIFEXITED(Status) || WEXITSTATUS(Status) != 0)
    return "";
  return Bytes;
}

void sendAndEnd(int Pipe, llvm::StringRef Bytes) {
  while (!Bytes.empty()) {
    ssize_t Size =
        RetryAfterSignal(-1, write, Pipe, Bytes.data(), Bytes.size());
    if (Size <= 0)
      _exit(1);
    Bytes = Bytes.drop_front(Size);
  }
  _exit(0);
}

} // namespace autoprof::source

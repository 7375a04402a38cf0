// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parent of all workers: starts them, reads their pipes, and passes results
// on in order. A worker that takes too long ends itself.
#include "source-cli/Answer.h"
#include "support/Progress.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"

#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using llvm::sys::RetryAfterSignal;

namespace autoprof::sources {

struct ProcessCopy {
  enum { Failed, Original, Copy } Role = Failed;
  int Pipe = -1; ///< Original: read end. Copy: write end.
  int Id = -1;   ///< Original: the copy's process id.
};

/// clang's handlers would delete output files that belong to the original, or
/// jump back into the driver.
static void becomeQuiet() {
  llvm::CrashRecoveryContext::Disable();
  llvm::sys::unregisterHandlers();
  for (int Signal : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS,
                     SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGALRM})
    std::signal(Signal, SIG_DFL);
  const rlimit NoCore = {0, 0};
  setrlimit(RLIMIT_CORE, &NoCore);
  int Null = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (Null >= 0)
    dup2(Null, STDERR_FILENO);
}

/// Forks the process. The copy writes nothing to stderr, leaves no core file,
/// and ends at a fatal signal without clang's crash report.
static ProcessCopy copyProcess() {
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

/// In the copy: sends the bytes and ends the process immediately, without
/// destructors, exit handlers or flushed streams.
[[noreturn]] static void sendAndEnd(int Pipe, llvm::StringRef Bytes) {
  while (!Bytes.empty()) {
    ssize_t Size =
        RetryAfterSignal(-1, write, Pipe, Bytes.data(), Bytes.size());
    if (Size <= 0)
      _exit(1);
    Bytes = Bytes.drop_front(Size);
  }
  _exit(0);
}

namespace {

/// The limit applies to CPU time, so that the load of the machine does not
/// matter; a worker that does not run ends after ten times as long.
void limitTime(unsigned Seconds) {
  if (!Seconds)
    return;
  const rlimit Limit = {Seconds, Seconds + 1};
  setrlimit(RLIMIT_CPU, &Limit);
  alarm(10 * Seconds);
}

/// Runs in the worker.
[[noreturn]] void workAndEnd(SourceTask &Task, const Unit &U,
                             unsigned TimeLimit, int Pipe) {
  limitTime(TimeLimit);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int Null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(Null, STDIN_FILENO);
  dup2(Null, STDOUT_FILENO);
  sendAndEnd(Pipe, encode(read(Task, U)));
}

struct Worker {
  ProcessCopy Process;
  size_t Index; ///< Index of its unit.
  std::string Received;
};

Outcome failed(Outcome::Kind Kind, std::string Reason) {
  Outcome O;
  O.Class = Kind;
  O.Error = std::move(Reason);
  return O;
}

/// The outcome of a worker whose pipe is at its end.
Outcome outcomeOf(Worker &W, unsigned TimeLimit) {
  int Status = 0;
  RetryAfterSignal(-1, waitpid, W.Process.Id, &Status, 0);
  if (WIFSIGNALED(Status) &&
      (WTERMSIG(Status) == SIGXCPU || WTERMSIG(Status) == SIGALRM))
    return failed(Outcome::TimedOut, "reading it took longer than " +
                                         std::to_string(TimeLimit) +
                                         " s; --time-limit allows more");
  if (WIFSIGNALED(Status))
    return failed(Outcome::Crashed, std::string("clang crashed on it: ") +
                                        strsignal(WTERMSIG(Status)));
  if (WEXITSTATUS(Status) == 0)
    if (std::optional<Outcome> O = decode(W.Received))
      return std::move(*O);
  return failed(Outcome::Crashed, "clang gave up on it");
}

class Runner {
public:
  Runner(SourceTask &Task, llvm::ArrayRef<Unit> Units, const RunOptions &O)
      : Task(Task), Units(Units), Options(O), Results(Units.size()),
        Line(O.Verb, Units.size()) {}

  RunSummary run();

private:
  void start(size_t Index);
  void wait();
  void finish(size_t Index, Outcome O);

  SourceTask &Task;
  llvm::ArrayRef<Unit> Units;
  const RunOptions &Options;
  std::vector<std::optional<Outcome>> Results; ///< Not yet collected.
  size_t Collected = 0;
  unsigned Finished = 0;
  std::vector<Worker> Running;
  support::Progress Line;
  RunSummary Summary;
};

void Runner::start(size_t Index) {
  const Unit &U = Units[Index];
  Line.show(Finished, llvm::sys::path::filename(U.File));
  if (!U.Refusal.empty())
    return finish(Index, failed(Outcome::Failed, U.Refusal));
  const ProcessCopy Process = copyProcess();
  if (Process.Role == ProcessCopy::Copy)
    workAndEnd(Task, U, Options.TimeLimit, Process.Pipe);
  if (Process.Role == ProcessCopy::Failed)
    return finish(Index, failed(Outcome::Failed,
                                std::string("no process could be started: ") +
                                    std::strerror(errno)));
  Running.push_back({Process, Index, ""});
}

/// Waits until at least one of the workers has sent something or ended.
void Runner::wait() {
  std::vector<pollfd> Pipes;
  for (const Worker &W : Running)
    Pipes.push_back({W.Process.Pipe, POLLIN, 0});
  poll(Pipes.data(), Pipes.size(), /*timeout=*/-1);

  std::vector<Worker> Previous = std::exchange(Running, {});
  for (size_t I = 0; I < Previous.size(); ++I) {
    Worker &W = Previous[I];
    bool AtEnd = false;
    if (Pipes[I].revents) {
      char Part[64 * 1024];
      const ssize_t Size = ::read(W.Process.Pipe, Part, sizeof Part);
      AtEnd = Size == 0 || (Size < 0 && errno != EINTR);
      if (Size > 0)
        W.Received.append(Part, Size);
    }
    if (!AtEnd) {
      Running.push_back(std::move(W));
      continue;
    }
    Outcome O = outcomeOf(W, Options.TimeLimit);
    close(W.Process.Pipe);
    finish(W.Index, std::move(O));
  }
}

void Runner::finish(size_t Index, Outcome O) {
  unsigned RunSummary::*const Counts[] = {
      &RunSummary::Done, &RunSummary::Partly, &RunSummary::Failed,
      &RunSummary::Crashed, &RunSummary::TimedOut};
  ++(Summary.*Counts[O.Class]);
  ++Finished;
  Results[Index] = std::move(O);
  for (; Collected < Units.size() && Results[Collected]; ++Collected) {
    Line.clear();
    Task.collect(Units[Collected], std::move(*Results[Collected]));
    Results[Collected].reset();
  }
}

RunSummary Runner::run() {
  const size_t Jobs = Options.Jobs
                          ? Options.Jobs
                          : std::max(1u, std::thread::hardware_concurrency());
  for (size_t Next = 0; Next < Units.size() || !Running.empty();) {
    if (Next < Units.size() && Running.size() < Jobs)
      start(Next++);
    else
      wait();
  }
  return Summary;
}

} // namespace

RunSummary run(SourceTask &Task, llvm::ArrayRef<Unit> Units,
               const RunOptions &Options) {
  return Runner(Task, Units, Options).run();
}

} // namespace autoprof::sources

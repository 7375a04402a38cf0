// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Supervisor.h"

#include "calibrate/Child.h"
#include "calibrate/Compiler.h"
#include "calibrate/Library.h"
#include "calibrate/Line.h"
#include "calibrate/Sampling.h"
#include "calibrate/Scratch.h"

#include "llvm/ADT/STLExtras.h"

#include <ctime>
#include <set>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::calibrate;
using catalogue::Observation;
using catalogue::Semantics;
using Outcome = Child::Outcome;

namespace {

/// For a worker that closed its replies.
constexpr int EndMs = 500;
/// The driver wakes the GPUs up, which takes long on machines with many.
constexpr int StartLimitMs = 120'000;
/// Then the GPU is stuck, and the rest would hang as well.
constexpr unsigned MostHangs = 5;

std::string timeNow() {
  char Text[32];
  std::time_t Now = std::time(nullptr);
  std::tm Utc{};
  gmtime_r(&Now, &Utc);
  std::strftime(Text, sizeof(Text), "%Y-%m-%dT%H:%M:%SZ", &Utc);
  return Text;
}

std::string hostName() {
  char Text[256] = "";
  gethostname(Text, sizeof(Text) - 1);
  return Text;
}

class Supervisor {
public:
  explicit Supervisor(const Plan &P) : P(P) {}
  llvm::Expected<Semantics> run();

private:
  llvm::Error ensureWorker();
  void startCompiler();
  llvm::Error measureCase(unsigned Index);
  /// Why what the case needs is not compiled, or "".
  std::string notCompiled(const Case &C);
  llvm::Expected<Reply> replyFor(unsigned Index);
  Observation afterFailure(const Case &C, Outcome Event);
  void skip(llvm::StringRef Library, const std::string &Reason);
  bool skipped(llvm::StringRef Library) const;
  llvm::Error interrupted();

  const Plan &P;
  Semantics Result;
  Scratch Folder; ///< Outlives those that write into it.
  Compiler Nvcc;
  std::unique_ptr<Child> Worker;
  unsigned Hangs = 0;
};

llvm::Error Supervisor::interrupted() {
  if (Worker)
    Worker->end(/*GraceMs=*/0);
  return llvm::createStringError("interrupted; nothing was written");
}

llvm::Error Supervisor::ensureWorker() {
  if (Worker)
    return llvm::Error::success();
  // Code that the driver compiles is found again, as in a second run of a
  // program, but nothing remains in the user's own cache.
  auto Started =
      Child::start(P.Program,
                   {"autoprof", "calibrate", "--worker=" + Folder.path(),
                    "--device=" + std::to_string(P.Device)},
                   {{"CUDA_CACHE_PATH", Folder.path() + "/cache"}});
  if (!Started)
    return Started.takeError();
  Worker = std::move(*Started);
  std::string Line;
  Outcome Event = Worker->read(Line, StartLimitMs, P.Interrupt);
  if (Event == Outcome::Interrupted)
    return interrupted();
  if (Event == Outcome::Late)
    return llvm::createStringError(
        "the NVIDIA driver did not start within two minutes; check whether "
        "nvidia-smi answers");
  if (Event == Outcome::Ended)
    return llvm::createStringError("the process that opens the NVIDIA driver " +
                                   Worker->end(EndMs) +
                                   "; check whether nvidia-smi responds");
  llvm::Expected<Hello> H = readHello(Line);
  if (!H)
    return H.takeError();
  if (!H->Error.empty())
    return llvm::createStringError(H->Error);
  // What was measured before a crash stays.
  Semantics &M = H->Machine;
  M.Observations = std::move(Result.Observations);
  M.Skipped = std::move(Result.Skipped);
  if (Result.QueueDepth)
    M.QueueDepth = Result.QueueDepth;
  Result = std::move(M);
  return llvm::Error::success();
}

bool Supervisor::skipped(llvm::StringRef Library) const {
  return llvm::any_of(Result.Skipped, [&](const catalogue::SkippedLibrary &S) {
    return S.Library == Library;
  });
}

void Supervisor::skip(llvm::StringRef Library, const std::string &Reason) {
  if (!skipped(Library))
    Result.Skipped.push_back({Library.str(), Reason});
}

Observation Supervisor::afterFailure(const Case &C, Outcome Event) {
  Observation O;
  O.Error = Event == Outcome::Late
                ? "did not return within " +
                      std::to_string((P.CaseLimitMs + 999) / 1000) + " s"
                : "the process " + Worker->end(EndMs);
  if (Event == Outcome::Late) {
    ++Hangs;
    Worker->end(/*GraceMs=*/0);
  }
  Worker.reset();
  return O;
}

void Supervisor::startCompiler() {
  std::set<std::string> Names;
  for (unsigned Index : P.Cases)
    if (const Case &C = allCases().All[Index]; !C.Compiled.empty())
      Names.insert(C.Compiled);
  if (!Names.empty())
    Nvcc.start(Names, P.Sources, Result.ComputeCapability, Folder.path());
}

std::string Supervisor::notCompiled(const Case &C) {
  if (C.Compiled.empty())
    return "";
  return Nvcc.unavailable().empty() ? Nvcc.wait(C.Compiled, P.Interrupt)
                                    : Nvcc.unavailable();
}

llvm::Expected<Reply> Supervisor::replyFor(unsigned Index) {
  const Case &C = allCases().All[Index];
  Reply R;
  if (std::string Reason = notCompiled(C); !Reason.empty()) {
    // A whole library, but of the runtime only what nvcc has to compile.
    bool Whole = !Nvcc.unavailable().empty() && !libraryNamed(C.library());
    (Whole ? R.Skipped : R.O.Error) = Reason;
    return R;
  }
  if (llvm::Error E = ensureWorker())
    return E;
  Worker->ask(std::to_string(Index) + "\n");
  std::string Line;
  Outcome Event = Worker->read(Line, P.CaseLimitMs, P.Interrupt);
  if (Event == Outcome::Interrupted)
    return interrupted();
  if (Event != Outcome::Line) {
    R.O = afterFailure(C, Event);
  } else if (llvm::Expected<Reply> Read = readReply(Line)) {
    R = std::move(*Read);
    if (R.LastWords)
      Worker.reset();
  } else {
    R.O.Error = llvm::toString(Read.takeError());
    Worker.reset();
  }
  return R;
}

llvm::Error Supervisor::measureCase(unsigned Index) {
  const Case &C = allCases().All[Index];
  if (skipped(C.library()))
    return llvm::Error::success();
  llvm::Expected<Reply> R = replyFor(Index);
  if (!R)
    return R.takeError();
  if (*P.Interrupt)
    return interrupted();
  if (!R->Skipped.empty()) {
    skip(C.library(), R->Skipped);
    return llvm::Error::success();
  }
  R->O.Call = C.Call;
  R->O.Arguments = C.Arguments;
  R->O.Known = C.Known;
  if (!C.Foreign.first.empty())
    R->O.Foreign.push_back(C.Foreign);
  Result.Observations.push_back(std::move(R->O));
  if (Hangs == MostHangs)
    return llvm::createStringError(
        llvm::Twine(Hangs) +
        " calls did not return; the GPU or its driver "
        "seems to be stuck, the last time in " +
        C.Call);
  return llvm::Error::success();
}

llvm::Expected<Semantics> Supervisor::run() {
  if (llvm::Error E = Folder.make())
    return E;
  if (llvm::Error E = ensureWorker())
    return E;
  startCompiler();
  for (const std::string &Library : allCases().NotBuilt)
    skip(Library, "autoprof was built without its headers");
  for (size_t I = 0; I < P.Cases.size(); ++I) {
    if (P.Progress)
      P.Progress(I, allCases().All[P.Cases[I]]);
    if (llvm::Error E = measureCase(P.Cases[I]))
      return E;
  }
  Result.Made = timeNow();
  Result.Host = hostName();
  Result.QueuedNs = QueuedNs;
  return std::move(Result);
}

} // namespace

llvm::Expected<Semantics> calibrate::measure(const Plan &P) {
  // A worker that dies during a request must not end this process.
  auto Before = signal(SIGPIPE, SIG_IGN);
  llvm::Expected<Semantics> Result = Supervisor(P).run();
  signal(SIGPIPE, Before);
  return Result;
}

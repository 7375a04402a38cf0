// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The process that measures single calls for the catalogue. It opens NVIDIA's
// libraries, which may hang or crash; run.py, which starts it, outlives that.
//
//   autoprof-calls list
//       the cases, one per line: library, call, arguments, and the source in
//       compiled/ that it needs
//   autoprof-calls measure GPU FOLDER
//       reads numbers of cases (lines of the list, from 0) from its input, one
//       per line, and writes for each a file of `autoprof calibrate` with one
//       observation, or a library that cannot be used, and a null character;
//       first one without an observation. FOLDER has what nvcc compiled.
#include "calibrate/Bench.h"
#include "calibrate/Sampling.h"
#include "catalogue/SemanticsJson.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::calibrate;
using catalogue::Observation;
using catalogue::Semantics;
using llvm::StringRef;

namespace {

/// "580.159.04": the kernel module has it, the driver's API does not.
std::string driverVersion() {
  auto File =
      llvm::MemoryBuffer::getFileAsStream("/proc/driver/nvidia/version");
  if (!File)
    return "";
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04  Wed ..."
  StringRef Line =
      (*File)->getBuffer().take_until([](char C) { return C == '\n'; });
  while (!Line.empty()) {
    auto [Word, Rest] = Line.ltrim().split(' ');
    if (!Word.empty() && isdigit(Word[0]) && Word.contains('.'))
      return Word.str();
    Line = Rest;
  }
  return "";
}

Semantics machine(Bench &B) {
  Semantics S;
  S.Gpu = B.Gpu;
  S.ComputeCapability = B.ComputeCapability;
  S.Driver = driverVersion();
  S.Cuda = B.Cuda;
  S.Gpus = B.Gpus;
  S.QueuedNs = QueuedNs;
  S.QueueDepth = B.countQueue();
  S.PageableMemoryAccess = B.PageableMemoryAccess;
  for (const std::string &Library : allCases().NotBuilt)
    S.Skipped.push_back(
        {Library, "this program was built without its headers"});
  return S;
}

/// Why the case cannot run here, or "".
std::string unmet(const Bench &B, const Case &C) {
  if (B.Gpus < C.Gpus)
    return "needs " + std::to_string(C.Gpus) + " GPUs";
  if (C.CudaMajor && B.RuntimeMajor && C.CudaMajor != B.RuntimeMajor)
    return "needs CUDA " + std::to_string(C.CudaMajor);
  return "";
}

Observation measure(Bench &B, const Case &C) {
  Observation O;
  O.Error = unmet(B, C);
  if (O.Error.empty()) {
    clearFailure();
    O = observe(C, [&](Queued Q) { return B.sample(C.Body, Q); });
    O.Error = failure().str();
    if (O.Error.empty() && !O.BehindNs.back())
      O.Error = "the case took no sample";
  }
  O.Call = C.Call;
  O.Arguments = C.Arguments;
  O.Known = C.Known;
  if (!C.Foreign.first.empty())
    O.Foreign.push_back(C.Foreign);
  return O;
}

/// The case's observation, or that its library cannot be used.
void add(Semantics &S, Bench &B, const Case &C) {
  const Library *L = libraryNamed(C.library());
  if (std::string Why = L ? open(*L) : ""; !Why.empty())
    S.Skipped.push_back({C.library().str(), Why});
  else
    S.Observations.push_back(measure(B, C));
}

/// Ends after a case that destroys what others share.
int work(int Device, StringRef CompiledFolder) {
  // Libraries print what they like.
  llvm::raw_fd_ostream Replies(dup(STDOUT_FILENO), /*shouldClose=*/true);
  dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
  Bench B;
  B.CompiledFolder = CompiledFolder.str();
  if (llvm::Error E = B.open(Device)) {
    llvm::errs() << llvm::toString(std::move(E)) << '\n';
    return 2;
  }
  Semantics S = machine(B);
  auto Reply = [&] {
    catalogue::writeSemantics(S, Replies);
    Replies << '\0';
    Replies.flush();
  };
  Reply();
  unsigned Index = 0;
  while (std::scanf("%u", &Index) == 1) {
    if (Index >= allCases().All.size())
      return 2;
    const Case &C = allCases().All[Index];
    S.Observations.clear();
    S.Skipped.clear();
    add(S, B, C);
    const bool IsLast = C.Destroys || !B.healthy();
    Reply();
    if (IsLast)
      return 0;
  }
  return 0;
}

} // namespace

int main(int Count, char **Arguments) {
  int Device = 0;
  if (Count == 2 && StringRef(Arguments[1]) == "list") {
    for (const Case &C : allCases().All)
      llvm::outs() << C.library() << '\t' << C.Call << '\t' << C.Arguments
                   << '\t' << C.Compiled << '\n';
    return 0;
  }
  if (Count == 4 && StringRef(Arguments[1]) == "measure" &&
      !StringRef(Arguments[2]).getAsInteger(10, Device))
    return work(Device, Arguments[3]);
  llvm::errs() << "usage: autoprof-calls list | measure GPU FOLDER\n";
  return 2;
}

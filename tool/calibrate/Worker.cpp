// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Worker.h"

#include "calibrate/Bench.h"
#include "calibrate/Line.h"
#include "calibrate/Sampling.h"

#include "llvm/Support/MemoryBuffer.h"

#include <cstdio>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::calibrate;
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

bool writeAll(int To, StringRef Text) {
  while (!Text.empty()) {
    ssize_t Written = ::write(To, Text.data(), Text.size());
    if (Written <= 0)
      return false;
    Text = Text.drop_front(Written);
  }
  return true;
}

Hello hello(Bench &B, int Device) {
  Hello H;
  if (llvm::Error E = B.open(Device)) {
    H.Error = llvm::toString(std::move(E));
    return H;
  }
  H.Machine.Gpu = B.Gpu;
  H.Machine.ComputeCapability = B.ComputeCapability;
  H.Machine.Driver = driverVersion();
  H.Machine.Cuda = B.Cuda;
  H.Machine.Gpus = B.Gpus;
  H.Machine.QueueDepth = B.countQueue();
  H.Machine.PageableMemoryAccess = B.PageableMemoryAccess;
  return H;
}

/// Why the case cannot run here, or "".
std::string unmet(const Bench &B, const Case &C) {
  if (B.Gpus < C.Gpus)
    return "needs " + std::to_string(C.Gpus) + " GPUs";
  if (C.CudaMajor && B.RuntimeMajor && C.CudaMajor != B.RuntimeMajor)
    return "needs CUDA " + std::to_string(C.CudaMajor);
  return "";
}

Reply replyFor(Bench &B, const Case &C) {
  Reply R;
  if (const Library *L = libraryNamed(C.library()))
    R.Skipped = open(*L);
  if (!R.Skipped.empty())
    return R;
  R.O.Error = unmet(B, C);
  if (!R.O.Error.empty())
    return R;
  clearFailure();
  R.O = observe(C, [&](Queued Q) { return B.sample(C.Body, Q); });
  R.O.Error = failure().str();
  if (R.O.Error.empty() && !R.O.BehindNs.back())
    R.O.Error = "the case took no sample";
  R.LastWords = C.Destroys || !B.healthy();
  return R;
}

} // namespace

int calibrate::work(int Device, const std::string &CompiledFolder, int Requests,
                    int Replies) {
  Bench B;
  B.CompiledFolder = CompiledFolder;
  Hello H = hello(B, Device);
  if (!writeAll(Replies, write(H)) || !H.Error.empty())
    return 0;
  std::FILE *In = fdopen(Requests, "r");
  unsigned Index = 0;
  while (In && std::fscanf(In, "%u", &Index) == 1) {
    if (Index >= allCases().All.size())
      return 2;
    Reply R = replyFor(B, allCases().All[Index]);
    if (!writeAll(Replies, write(R)) || R.LastWords)
      return 0;
  }
  return 0;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "calibrate/Bench.h"

#include "calibrate/Case.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime_api.h>

using namespace autoprof;
using namespace autoprof::calibrate;
using catalogue::PriorWork;

namespace {

/// Compiled by the driver. %TARGET% is the oldest architecture that the driver
/// still takes.
constexpr char Source[] = R"(.version 6.3
.target %TARGET%
.address_size 64
.visible .entry autoprof_spin(.param .u64 flags, .param .u64 ns) {
  .reg .pred %stop, %early;
  .reg .u32 %value;
  .reg .u64 %at, %limit, %start, %now;
  ld.param.u64 %at, [flags];
  cvta.to.global.u64 %at, %at;
  ld.param.u64 %limit, [ns];
  mov.u64 %start, %globaltimer;
LOOP:
  ld.volatile.global.u32 %value, [%at];
  setp.ne.u32 %stop, %value, 0;
  @%stop bra END;
  mov.u64 %now, %globaltimer;
  sub.u64 %now, %now, %start;
  setp.lt.u64 %early, %now, %limit;
  @%early bra LOOP;
  mov.u32 %value, 1;
  st.volatile.global.u32 [%at+4], %value;
  membar.sys;
END:
  ret;
}
.visible .entry autoprof_empty() {
  ret;
}
)";

std::string sourceFor(const char *Target) {
  std::string Text = Source;
  Text.replace(Text.find("%TARGET%"), std::strlen("%TARGET%"), Target);
  return Text;
}

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

llvm::Error asError(const llvm::Twine &Prefix) {
  std::string Reason = failure().str();
  clearFailure();
  return llvm::createStringError(Prefix + Reason);
}

constexpr size_t BufferBytes = 64 * MiB + 64 * KiB;

} // namespace

llvm::Error Bench::open(int Index) {
  clearFailure();
  if (llvm::Error E = openLibraries())
    return E;
  if (llvm::Error E = openDevice(Index))
    return E;
  makeFlags();
  CALL(cuStreamCreate)(&OwnStream, CU_STREAM_NON_BLOCKING);
  CALL(cuStreamCreate)(&OtherNonBlocking, CU_STREAM_NON_BLOCKING);
  CALL(cuStreamCreate)(&OtherBlocking, CU_STREAM_DEFAULT);
  if (!failure().empty())
    return asError("cannot prepare the GPU: ");
  return loadKernels();
}

llvm::Error Bench::openLibraries() {
  std::string Reason = calibrate::open(*libraryNamed("cuda"));
  if (!Reason.empty())
    return llvm::createStringError("no NVIDIA driver on this machine: " +
                                   Reason);
  CALL(cuInit)(0);
  if (!failure().empty())
    return asError("the NVIDIA driver finds no GPU that it can use: ");
  int Version = 0;
  CALL(cuDriverGetVersion)(&Version);
  Cuda = std::to_string(Version / 1000) + "." +
         std::to_string(Version % 1000 / 10);
  if (calibrate::open(*libraryNamed("cudart"), Version / 1000).empty()) {
    int Runtime = 0;
    CALL(cudaRuntimeGetVersion)(&Runtime);
    RuntimeMajor = Runtime / 1000;
  }
  return llvm::Error::success();
}

llvm::Error Bench::openDevice(int Index) {
  int Count = 0;
  CALL(cuDeviceGetCount)(&Count);
  Gpus = Count;
  if (Index < 0 || Index >= Count)
    return llvm::createStringError("there is no GPU " + llvm::Twine(Index) +
                                   "; this machine has " + llvm::Twine(Count) +
                                   ", counted from 0");
  Device = Index;
  OtherDevice = Count < 2 ? -1 : Index == 0 ? 1 : 0;
  char Name[128] = "";
  CALL(cuDeviceGetName)(Name, sizeof(Name), Device);
  Gpu = Name;
  int Major = 0, Minor = 0, Pageable = 0;
  CALL(cuDeviceGetAttribute)(
      &Major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, Device);
  CALL(cuDeviceGetAttribute)(
      &Minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, Device);
  CALL(cuDeviceGetAttribute)(
      &Pageable, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, Device);
  ComputeCapability = std::to_string(Major) + "." + std::to_string(Minor);
  PageableMemoryAccess = Pageable;
  CALL(cuDevicePrimaryCtxRetain)(&Context, Device);
  CALL(cuCtxSetCurrent)(Context);
  if (RuntimeMajor)
    CALL(cudaSetDevice)(Device);
  if (!failure().empty())
    return asError("cannot use GPU " + llvm::Twine(Index) + ": ");
  return llvm::Error::success();
}

llvm::Error Bench::loadKernels() {
  // CUDA 13 no longer takes code for sm_50, and older GPUs not that for sm_75.
  for (const char *Target : {"sm_75", "sm_50"}) {
    clearFailure();
    Ptx = sourceFor(Target);
    CUlibrary Library = nullptr;
    CUkernel SpinKernel = nullptr, EmptyOne = nullptr;
    CALL(cuLibraryLoadData)(&Library, ptx(), nullptr, nullptr, 0, nullptr,
                            nullptr, 0);
    if (!failure().empty())
      continue;
    CALL(cuLibraryGetKernel)(&SpinKernel, Library, "autoprof_spin");
    CALL(cuLibraryGetKernel)(&EmptyOne, Library, "autoprof_empty");
    // Handles of kernels, unlike those of functions, are for all contexts.
    Spin = reinterpret_cast<CUfunction>(SpinKernel);
    Empty = reinterpret_cast<CUfunction>(EmptyOne);
    EmptyKernel = EmptyOne;
    // Both are loaded now: loading them later might wait.
    spin(OwnStream, 0);
    CALL(cuLaunchKernel)(Empty, 1, 1, 1, 1, 1, 1, 0, OwnStream, nullptr,
                         nullptr);
    synchronize();
    if (failure().empty())
      return llvm::Error::success();
  }
  return asError("cannot load the kernel that keeps the GPU busy: ");
}

void Bench::makeFlags() {
  // Memory of the process, registered: it stays when a context goes.
  if (!Host)
    Host = new (std::aligned_alloc(4096, 4096)) Flags();
  CALL(cuMemHostRegister)(
      Host, 4096, CU_MEMHOSTREGISTER_DEVICEMAP | CU_MEMHOSTREGISTER_PORTABLE);
  CALL(cuMemHostGetDevicePointer)(&FlagsOnDevice, Host, 0);
}

void Bench::spin(CUstream Stream, int64_t Ns) {
  void *Arguments[] = {&FlagsOnDevice, &Ns};
  CALL(cuLaunchKernel)(Spin, 1, 1, 1, 1, 1, 1, 0, Stream, Arguments, nullptr);
}

void Bench::synchronize() {
  CALL(cuCtxPushCurrent)(Context);
  CALL(cuCtxSynchronize)();
  CUcontext Popped;
  CALL(cuCtxPopCurrent)(&Popped);
}

static CUstream streamOf(const Bench &B, PriorWork Work) {
  switch (Work) {
  case PriorWork::OwnStream:
    return B.OwnStream;
  case PriorWork::OtherNonBlocking:
    return B.OtherNonBlocking;
  case PriorWork::OtherBlocking:
    return B.OtherBlocking;
  case PriorWork::Legacy:
    break;
  }
  return CU_STREAM_LEGACY;
}

void Bench::time(llvm::function_ref<void()> Call,
                 llvm::function_ref<void()> Prepare, bool DestroysContext) {
  if (!failure().empty())
    return;
  synchronize();
  Host->Stop = Host->GaveUp = 0;
  if (Asked.Work) {
    CUcontext Popped;
    CALL(cuCtxPushCurrent)(Context);
    spin(streamOf(*this, *Asked.Work), Asked.Ns);
    CALL(cuCtxPopCurrent)(&Popped);
  }
  Prepare();
  if (failure().empty()) {
    int64_t Start = now();
    Call();
    int64_t End = now();
    Last.Ns = End - Start;
    Last.GaveUp = Host->GaveUp;
    Last.Taken = failure().empty();
  }
  Host->Stop = 1;
  if (!DestroysContext)
    synchronize();
}

Sample Bench::sample(llvm::function_ref<void(Bench &)> Body, Queued Q) {
  Asked = Q;
  Last = Sample();
  Body(*this);
  return Last;
}

std::optional<int64_t> Bench::countQueue() {
  constexpr int64_t Limit = 100'000, BusyNs = 200'000'000, BlocksNs = 5'000'000;
  synchronize();
  Host->Stop = Host->GaveUp = 0;
  spin(OwnStream, BusyNs);
  std::optional<int64_t> Result;
  for (int64_t I = 0; I < Limit && !Result && !Host->GaveUp; ++I) {
    int64_t Start = now();
    CALL(cuLaunchKernel)(Empty, 1, 1, 1, 1, 1, 1, 0, OwnStream, nullptr,
                         nullptr);
    // It can only have waited for the kernel that spins.
    if (now() - Start > BlocksNs && Host->GaveUp)
      Result = I;
  }
  Host->Stop = 1;
  synchronize();
  return Result;
}

bool Bench::healthy() {
  clearFailure();
  synchronize();
  bool Result = failure().empty();
  clearFailure();
  return Result;
}

void Bench::reopen() {
  for (auto &Pair : Buffers)
    for (void *&P : Pair)
      P = nullptr;
  std::string Before = failure().str();
  if (llvm::Error E = open(Device))
    Before = llvm::toString(std::move(E));
  if (!Before.empty())
    fail(std::move(Before));
}

void *Bench::buffer(Memory M, unsigned Index) {
  void *&P = Buffers[unsigned(M)][Index];
  if (P)
    return P;
  CUdeviceptr OnDevice = 0;
  switch (M) {
  case Memory::Pageable:
  case Memory::Registered:
    P = std::aligned_alloc(4096, BufferBytes);
    std::memset(P, 0, BufferBytes); // The pages are there.
    if (M == Memory::Registered)
      CALL(cuMemHostRegister)(P, BufferBytes, CU_MEMHOSTREGISTER_PORTABLE);
    return P;
  case Memory::Pinned:
    CALL(cuMemAllocHost)(&P, BufferBytes);
    return P;
  case Memory::Device:
    CALL(cuMemAlloc)(&OnDevice, BufferBytes);
    break;
  case Memory::Managed:
    CALL(cuMemAllocManaged)(&OnDevice, BufferBytes, CU_MEM_ATTACH_GLOBAL);
    break;
  }
  // Initialized, so that no library's input has a NaN.
  CALL(cuMemsetD8)(OnDevice, 0, BufferBytes);
  P = reinterpret_cast<void *>(OnDevice);
  return P;
}

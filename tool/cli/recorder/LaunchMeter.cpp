// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/LaunchMeter.h"

#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <dlfcn.h>

using namespace autoprof;

namespace {

using Status = int; ///< CUresult; 0 is success.
using Handle = void *;

/// The functions of the driver that are called, without its header: the types
/// are those of its ABI.
struct Driver {
  Status (*Init)(unsigned);
  Status (*RetainContext)(Handle *, int);
  Status (*SetContext)(Handle);
  Status (*CreateStream)(Handle *, unsigned);
  Status (*Synchronize)(Handle);
  Status (*LoadModule)(Handle *, const void *);
  Status (*GetFunction)(Handle *, Handle, const char *);
  Status (*Launch)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, Handle, void **, void **);

  bool load() {
    Handle Library = dlopen("libcuda.so.1", RTLD_NOW);
    auto Find = [Library](const char *Name, auto &Function) {
      Function = reinterpret_cast<std::decay_t<decltype(Function)>>(
          Library ? dlsym(Library, Name) : nullptr);
      return Function != nullptr;
    };
    return Find("cuInit", Init) &&
           Find("cuDevicePrimaryCtxRetain", RetainContext) &&
           Find("cuCtxSetCurrent", SetContext) &&
           Find("cuStreamCreate", CreateStream) &&
           Find("cuStreamSynchronize", Synchronize) &&
           Find("cuModuleLoadData", LoadModule) &&
           Find("cuModuleGetFunction", GetFunction) &&
           Find("cuLaunchKernel", Launch);
  }
};

/// An old target, which the driver compiles for every supported GPU.
constexpr char Kernel[] = ".version 6.3\n.target sm_50\n.address_size 64\n"
                          ".visible .entry nothing() { ret; }\n";
constexpr unsigned NonBlocking = 1; // CU_STREAM_NON_BLOCKING

/// Median time of one of many calls, ns; 0: one failed. The stream is empty at
/// the beginning of each batch, so that its queue never fills up.
template <typename Function>
uint64_t medianCost(const Driver &D, Handle Stream, Function Call) {
  constexpr size_t Batches = 100, CallsInBatch = 20;
  using Clock = std::chrono::steady_clock;
  std::array<uint64_t, Batches> Times;
  for (uint64_t &Time : Times) {
    const Clock::time_point Begin = Clock::now();
    for (size_t I = 0; I < CallsInBatch; ++I)
      if (Call() != 0)
        return 0;
    Time = uint64_t(std::chrono::nanoseconds(Clock::now() - Begin).count());
    if (D.Synchronize(Stream) != 0)
      return 0;
  }
  std::nth_element(Times.begin(), Times.begin() + Batches / 2, Times.end());
  return Times[Batches / 2] / CallsInBatch;
}

} // namespace

int cli::measureLaunches(llvm::raw_ostream &Out) {
  Driver D;
  Handle Context = nullptr, Stream = nullptr, Module = nullptr,
         Function = nullptr;
  if (!D.load() || D.Init(0) != 0 || D.RetainContext(&Context, 0) != 0 ||
      D.SetContext(Context) != 0 || D.CreateStream(&Stream, NonBlocking) != 0 ||
      D.LoadModule(&Module, Kernel) != 0 ||
      D.GetFunction(&Function, Module, "nothing") != 0)
    return 2;
  const uint64_t Launch = medianCost(D, Stream, [&] {
    return D.Launch(Function, 1, 1, 1, 1, 1, 1, 0, Stream, nullptr, nullptr);
  });
  const uint64_t Wait =
      medianCost(D, Stream, [&] { return D.Synchronize(Stream); });
  if (!Launch || !Wait)
    return 2;
  Out << Launch << ',' << Wait << '\n';
  return 0;
}

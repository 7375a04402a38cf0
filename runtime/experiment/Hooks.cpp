// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libautoprof-try.so, which `autoprof try` preloads, takes the place of some of
// the driver's functions. The CUDA runtime and PyTorch, JAX and CuPy find these
// by dlsym() and cuGetProcAddress(), so this library defines dlsym().
#include "runtime/experiment/Changes.h"
#include "runtime/experiment/Places.h"
#include "runtime/experiment/Timing.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>

using namespace autoprof::runtime;

using FindSymbol = void *(*)(void *, const char *);

// The C library's own. dlvsym() is not ours, so it can be asked for it.
static FindSymbol realDlsym() {
  static const FindSymbol Real = [] {
    void *Found = nullptr;
    for (const char *Version : {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"})
      if (!Found)
        Found = dlvsym(RTLD_NEXT, "dlsym", Version);
    return reinterpret_cast<FindSymbol>(Found);
  }();
  return Real;
}

void *autoprof::runtime::findInDriver(const char *Symbol) {
  static void *const Driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  return Driver ? realDlsym()(Driver, Symbol) : nullptr;
}

namespace {

enum class Function : unsigned {
  StreamSynchronize,
  CtxSynchronize,
  EventSynchronize,
  MemcpyDtoH,
  MemcpyDtoHAsync,
  MemcpyHtoD,
  MemcpyHtoDAsync,
  MemFree,
  MemAlloc,
  MemAllocAsync,
  MemAllocFromPoolAsync,
  LaunchKernel,
  LaunchKernelEx,
  LaunchCooperativeKernel,
  GraphLaunch,
  GetProcAddress
};
constexpr unsigned NumFunctions = unsigned(Function::GetProcAddress) + 1;

} // namespace

// The driver's own functions, as the program asked for them.
static std::atomic<void *> Real[NumFunctions][2];

template <Function F, DefaultStream D, class... Parameters>
static CUresult callReal(Parameters... Arguments) {
  return reinterpret_cast<CUresult (*)(Parameters...)>(
      Real[unsigned(F)][unsigned(D)].load(std::memory_order_relaxed))(
      Arguments...);
}

// The functions that take the place of the driver's. One of two forms of each
// is used: see DefaultStream.

template <DefaultStream D> static void noteStream(CUstream Stream) {
  noteLaunch(named(Stream, D));
}
template <DefaultStream D> static void noteStream(const CUlaunchConfig *How) {
  noteLaunch(named(How->hStream, D));
}
template <DefaultStream D, class Other> static void noteStream(Other) {}

template <Function F, DefaultStream D, class... Parameters>
static CUresult launch(Parameters... Arguments) {
  countLaunch();
  (noteStream<D>(Arguments), ...);
  return callReal<F, D>(Arguments...);
}

template <Function F, DefaultStream D, class... Parameters>
static CUresult synchronize(Parameters... Arguments) {
  if (Changed C = changeSynchronization(F == Function::CtxSynchronize))
    return *C;
  return callReal<F, D>(Arguments...);
}

template <DefaultStream D>
static CUresult copyToHostAsync(void *To, CUdeviceptr From, size_t Size,
                                CUstream Stream) {
  if (Changed C = changeCopyToHost(To, From, Size, named(Stream, D)))
    return *C;
  return callReal<Function::MemcpyDtoHAsync, D>(To, From, Size, Stream);
}

template <DefaultStream D>
static CUresult copyToHost(void *To, CUdeviceptr From, size_t Size) {
  if (Changed C = changeCopyToHost(To, From, Size, named(nullptr, D)))
    return *C;
  return callReal<Function::MemcpyDtoH, D>(To, From, Size);
}

template <DefaultStream D>
static CUresult copyFromHostAsync(CUdeviceptr To, const void *From, size_t Size,
                                  CUstream Stream) {
  if (Changed C = changeCopyFromHost(To, From, Size, named(Stream, D)))
    return *C;
  return callReal<Function::MemcpyHtoDAsync, D>(To, From, Size, Stream);
}

template <DefaultStream D>
static CUresult copyFromHost(CUdeviceptr To, const void *From, size_t Size) {
  if (Changed C = changeCopyFromHost(To, From, Size, named(nullptr, D)))
    return *C;
  return callReal<Function::MemcpyHtoD, D>(To, From, Size);
}

template <DefaultStream D> static CUresult freeMemory(CUdeviceptr Memory) {
  if (Changed C = changeFree(Memory))
    return *C;
  return callReal<Function::MemFree, D>(Memory);
}

template <DefaultStream D>
static CUresult allocate(CUdeviceptr *Memory, size_t Size) {
  if (Changed C = reuse(Memory, Size))
    return *C;
  const CUresult Result = callReal<Function::MemAlloc, D>(Memory, Size);
  if (Result != CUDA_ERROR_OUT_OF_MEMORY || !freeKept())
    return Result;
  return callReal<Function::MemAlloc, D>(Memory, Size);
}

template <Function F, DefaultStream D, class... Parameters>
static CUresult allocateFromPool(Parameters... Arguments) {
  if (hasPools())
    setPool();
  return callReal<F, D>(Arguments...);
}

static void *replacement(const char *Name, void *Found, DefaultStream D);

// Some functions have got a parameter in a later version; that version takes
// the place of the form for threads' own streams, of which they have none.
static DefaultStream formOf(const char *Name, int Version, cuuint64_t Flags) {
  const bool IsLater =
      strcmp(Name, "cuCtxSynchronize") == 0 ? Version >= 13000
      : strcmp(Name, "cuGetProcAddress") == 0
          ? Version >= 12000
          : Flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
  return IsLater ? DefaultStream::PerThread : DefaultStream::Legacy;
}

template <DefaultStream D, class... Parameters>
static CUresult getProcAddress(const char *Name, void **Found, int Version,
                               cuuint64_t Flags, Parameters... More) {
  const CUresult Result = callReal<Function::GetProcAddress, D>(
      Name, Found, Version, Flags, More...);
  if (Result == CUDA_SUCCESS && Name && Found && *Found)
    *Found = replacement(Name, *Found, formOf(Name, Version, Flags));
  return Result;
}

namespace {

struct Row {
  const char *Name;
  Function Which;
  void *Ours[2]; ///< By DefaultStream.
};

} // namespace

// Functions whose parameters do not matter get those of the driver's, `Type`.
template <Function F, DefaultStream D, class... P>
static void *launchLike(CUresult (*)(P...)) {
  return reinterpret_cast<void *>(&launch<F, D, P...>);
}
template <Function F, DefaultStream D, class... P>
static void *synchronizeLike(CUresult (*)(P...)) {
  return reinterpret_cast<void *>(&synchronize<F, D, P...>);
}
template <Function F, DefaultStream D, class... P>
static void *allocateLike(CUresult (*)(P...)) {
  return reinterpret_cast<void *>(&allocateFromPool<F, D, P...>);
}
#define LIKE(Maker, Which)                                                     \
  {                                                                            \
    "cu" #Which, Function::Which, {                                            \
      Maker<Function::Which, DefaultStream::Legacy>(                           \
          static_cast<decltype(&cu##Which)>(nullptr)),                         \
          Maker<Function::Which, DefaultStream::PerThread>(                    \
              static_cast<decltype(&cu##Which)>(nullptr))                      \
    }                                                                          \
  }
#define BOTH(Which, Template)                                                  \
  {                                                                            \
    "cu" #Which, Function::Which, {                                            \
      reinterpret_cast<void *>(&Template<DefaultStream::Legacy>),              \
          reinterpret_cast<void *>(&Template<DefaultStream::PerThread>)        \
    }                                                                          \
  }

static const Row Rows[] = {
    LIKE(synchronizeLike, StreamSynchronize),
    LIKE(synchronizeLike, EventSynchronize),
    BOTH(MemcpyDtoH, copyToHost),
    BOTH(MemcpyDtoHAsync, copyToHostAsync),
    BOTH(MemcpyHtoD, copyFromHost),
    BOTH(MemcpyHtoDAsync, copyFromHostAsync),
    BOTH(MemFree, freeMemory),
    BOTH(MemAlloc, allocate),
    LIKE(allocateLike, MemAllocAsync),
    LIKE(allocateLike, MemAllocFromPoolAsync),
    LIKE(launchLike, LaunchKernel),
    LIKE(launchLike, LaunchKernelEx),
    LIKE(launchLike, LaunchCooperativeKernel),
    LIKE(launchLike, GraphLaunch),
    // See formOf().
    {"cuCtxSynchronize",
     Function::CtxSynchronize,
     {synchronizeLike<Function::CtxSynchronize, DefaultStream::Legacy>(
          static_cast<CUresult (*)()>(nullptr)),
      synchronizeLike<Function::CtxSynchronize, DefaultStream::PerThread>(
          static_cast<CUresult (*)(CUcontext)>(nullptr))}},
    {"cuGetProcAddress",
     Function::GetProcAddress,
     {reinterpret_cast<void *>(&getProcAddress<DefaultStream::Legacy>),
      reinterpret_cast<void *>(
          &getProcAddress<DefaultStream::PerThread,
                          CUdriverProcAddressQueryResult *>)}}};

// The process uses the GPU.
static void begin() {
  static const bool Done = [] {
    openReport(secure_getenv(ExperimentOutputVariable));
    return true;
  }();
  (void)Done;
}

// `Found` is the driver's function of that name, without a suffix.
static void *replacement(const char *Name, void *Found, DefaultStream D) {
  if (!secure_getenv(ExperimentOutputVariable))
    return Found;
  for (const Row &R : Rows) {
    if (strcmp(R.Name, Name) != 0)
      continue;
    begin();
    Real[unsigned(R.Which)][unsigned(D)].store(Found);
    return R.Ours[unsigned(D)];
  }
  return Found;
}

// Of a symbol such as "cuMemFree_v2" or "cuMemcpyDtoH_v2_ptds".
static void *replacementOf(const char *Symbol, void *Found) {
  std::string Name(Symbol);
  auto Drop = [&Name](std::string_view End) {
    if (Name.size() <= End.size() ||
        Name.compare(Name.size() - End.size(), End.size(), End) != 0)
      return false;
    Name.resize(Name.size() - End.size());
    return true;
  };
  const bool PerThread = Drop("_ptds") || Drop("_ptsz");
  const bool IsSecond = Drop("_v2");
  // The first version of these has other types.
  const bool IsOld =
      !IsSecond && (Name == "cuMemFree" || Name == "cuMemAlloc" ||
                    Name.compare(0, 8, "cuMemcpy") == 0);
  if (IsOld)
    return Found;
  return replacement(Name.c_str(), Found,
                     PerThread || (IsSecond && Name.compare(0, 5, "cuMem") != 0)
                         ? DefaultStream::PerThread
                         : DefaultStream::Legacy);
}

// The C library looks at the caller of RTLD_NEXT and RTLD_DEFAULT, so that call
// must be a jump.
#if __has_cpp_attribute(clang::musttail)
#define AUTOPROF_TAIL [[clang::musttail]]
#else
#define AUTOPROF_TAIL
#endif

// The C library's name. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" __attribute__((visibility("default"))) void *
dlsym(void *Module, const char *Name) noexcept {
  if (Module == RTLD_NEXT ||
      (Module == RTLD_DEFAULT && strncmp(Name, "cu", 2) != 0))
    AUTOPROF_TAIL return realDlsym()(Module, Name);
  void *Found = realDlsym()(Module, Name);
  return Found && strncmp(Name, "cu", 2) == 0 ? replacementOf(Name, Found)
                                              : Found;
}

__attribute__((constructor)) static void load() {
  readParts(secure_getenv(ExperimentPartsVariable));
  readPlaces(secure_getenv(ExperimentVariable));
}

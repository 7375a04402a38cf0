// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver API: its own forms of the runtime's calls, virtual memory,
// modules and libraries.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cstdlib>
#include <cstring>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

CUdeviceptr onDevice(Bench &B, unsigned Index = 0) {
  return reinterpret_cast<CUdeviceptr>(B.buffer(M::Device, Index));
}

void addCopies(Cases &C, size_t Bytes) {
  for (M Host : {M::Pageable, M::Pinned}) {
    values::Memory Kind = Host == M::Pinned ? Pinned : Pageable;
    std::string Arguments =
        std::string(Host == M::Pinned ? "pinned memory, "
                                      : "pageable memory, ") +
        sizeText(Bytes);
    Facts To = destination(Kind) & size(sizeOf(Bytes));
    Facts From = source(Kind) & size(sizeOf(Bytes));
    C.add("cuMemcpyDtoH", Arguments, To, [=](Bench &B) {
      void *P = B.buffer(Host);
      CUdeviceptr D = onDevice(B);
      B.time([&] { CALL(cuMemcpyDtoH)(P, D, Bytes); });
    });
    C.add("cuMemcpyHtoD", Arguments, From, [=](Bench &B) {
      void *P = B.buffer(Host);
      CUdeviceptr D = onDevice(B);
      B.time([&] { CALL(cuMemcpyHtoD)(D, P, Bytes); });
    });
    C.add("cuMemcpyDtoHAsync", Arguments, To, [=](Bench &B) {
      void *P = B.buffer(Host);
      CUdeviceptr D = onDevice(B);
      B.time([&] { CALL(cuMemcpyDtoHAsync)(P, D, Bytes, B.OwnStream); });
    });
    C.add("cuMemcpyHtoDAsync", Arguments, From, [=](Bench &B) {
      void *P = B.buffer(Host);
      CUdeviceptr D = onDevice(B);
      B.time([&] { CALL(cuMemcpyHtoDAsync)(D, P, Bytes, B.OwnStream); });
    });
  }
  std::string Arguments = "within the device, " + sizeText(Bytes);
  Facts Known = direction(DtoD) & size(sizeOf(Bytes));
  C.add("cuMemcpyDtoD", Arguments, Known, [=](Bench &B) {
    CUdeviceptr From = onDevice(B, 0), To = onDevice(B, 1);
    B.time([&] { CALL(cuMemcpyDtoD)(To, From, Bytes); });
  });
  C.add("cuMemcpyDtoDAsync", Arguments, Known, [=](Bench &B) {
    CUdeviceptr From = onDevice(B, 0), To = onDevice(B, 1);
    B.time([&] { CALL(cuMemcpyDtoDAsync)(To, From, Bytes, B.OwnStream); });
  });
}

void addSets(Cases &C) {
  for (auto [Memory, Kind, Text] :
       {std::tuple(M::Device, values::Device, "device memory, 1 MiB"),
        std::tuple(M::Pinned, Pinned, "pinned memory, 1 MiB"),
        std::tuple(M::Managed, Managed, "managed memory, 1 MiB")}) {
    C.add("cuMemsetD8", Text, destination(Kind), [Memory = Memory](Bench &B) {
      auto P = reinterpret_cast<CUdeviceptr>(B.buffer(Memory));
      B.time([&] { CALL(cuMemsetD8)(P, 0, MiB); });
    });
    C.add("cuMemsetD8Async", Text, destination(Kind),
          [Memory = Memory](Bench &B) {
            auto P = reinterpret_cast<CUdeviceptr>(B.buffer(Memory));
            B.time([&] { CALL(cuMemsetD8Async)(P, 0, MiB, B.OwnStream); });
          });
  }
}

void addSynchronization(Cases &C) {
  C.add("cuCtxSynchronize", "", Facts(),
        [](Bench &B) { B.time([] { CALL(cuCtxSynchronize)(); }); });
  C.add("cuStreamSynchronize", "a non-blocking stream", stream(NonBlocking),
        [](Bench &B) {
          B.time([&] { CALL(cuStreamSynchronize)(B.OwnStream); });
        });
  C.add("cuStreamSynchronize", "the legacy default stream", stream(Legacy),
        [](Bench &B) {
          B.time([] { CALL(cuStreamSynchronize)(CU_STREAM_LEGACY); });
        });
  C.add("cuStreamQuery", "", Facts(),
        [](Bench &B) { B.time([&] { CALL(cuStreamQuery)(B.OwnStream); }); });
  C.add("cuEventSynchronize", "recorded behind the work", Facts(),
        [](Bench &B) {
          CUevent E = nullptr;
          CALL(cuEventCreate)(&E, CU_EVENT_DISABLE_TIMING);
          B.time([&] { CALL(cuEventSynchronize)(E); },
                 [&] { CALL(cuEventRecord)(E, B.OwnStream); });
          CALL(cuEventDestroy)(E);
        });
  C.add("cuLaunchKernel", "on a non-blocking stream", stream(NonBlocking),
        [](Bench &B) {
          B.time([&] {
            CALL(cuLaunchKernel)(B.Empty, 1, 1, 1, 1, 1, 1, 0, B.OwnStream,
                                 nullptr, nullptr);
          });
        });
  C.add("cuPointerSetAttribute", "CU_POINTER_ATTRIBUTE_SYNC_MEMOPS", Facts(),
        [](Bench &B) {
          CUdeviceptr P = 0;
          unsigned Enabled = 1;
          CALL(cuMemAlloc)(&P, MiB);
          B.time([&] {
            CALL(cuPointerSetAttribute)(&Enabled,
                                        CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, P);
          });
          CALL(cuMemFree)(P);
        });
}

void addMemory(Cases &C, size_t Bytes) {
  C.add("cuMemAlloc", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    CUdeviceptr P = 0;
    B.time([&] { CALL(cuMemAlloc)(&P, Bytes); });
    CALL(cuMemFree)(P);
  });
  C.add("cuMemFree", "of cuMemAlloc, " + sizeText(Bytes),
        destination(values::Device), [Bytes](Bench &B) {
          CUdeviceptr P = 0;
          CALL(cuMemAlloc)(&P, Bytes);
          B.time([&] { CALL(cuMemFree)(P); });
        });
  C.add("cuMemAllocHost", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    B.time([&] { CALL(cuMemAllocHost)(&P, Bytes); });
    CALL(cuMemFreeHost)(P);
  });
  C.add("cuMemFreeHost", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = nullptr;
    CALL(cuMemAllocHost)(&P, Bytes);
    B.time([&] { CALL(cuMemFreeHost)(P); });
  });
  C.add("cuMemHostUnregister", sizeText(Bytes), Facts(), [Bytes](Bench &B) {
    void *P = std::aligned_alloc(4096, Bytes);
    std::memset(P, 0, Bytes);
    CALL(cuMemHostRegister)(P, Bytes, 0);
    B.time([&] { CALL(cuMemHostUnregister)(P); });
    std::free(P);
  });
}

void addPools(Cases &C) {
  C.add("cuMemAllocAsync", "1 MiB, default pool", Facts(), [](Bench &B) {
    CUdeviceptr P = 0;
    B.time([&] { CALL(cuMemAllocAsync)(&P, MiB, B.OwnStream); });
    CALL(cuMemFreeAsync)(P, B.OwnStream);
  });
  C.add("cuMemFreeAsync", "1 MiB", destination(Pool), [](Bench &B) {
    CUdeviceptr P = 0;
    CALL(cuMemAllocAsync)(&P, MiB, B.OwnStream);
    B.time([&] { CALL(cuMemFreeAsync)(P, B.OwnStream); });
  });
  C.add("cuMemFree", "of cuMemAllocAsync, 1 MiB", destination(Pool),
        [](Bench &B) {
          CUdeviceptr P = 0;
          CALL(cuMemAllocAsync)(&P, MiB, B.OwnStream);
          B.time([&] { CALL(cuMemFree)(P); });
        });
}

void addArrays(Cases &C) {
  constexpr CUDA_ARRAY_DESCRIPTOR Form = {512, 512, CU_AD_FORMAT_FLOAT, 1};
  C.add("cuArrayCreate", "512 x 512 floats", Facts(), [=](Bench &B) {
    CUarray A = nullptr;
    B.time([&] { CALL(cuArrayCreate)(&A, &Form); });
    CALL(cuArrayDestroy)(A);
  });
  C.add("cuArrayDestroy", "512 x 512 floats", Facts(), [=](Bench &B) {
    CUarray A = nullptr;
    CALL(cuArrayCreate)(&A, &Form);
    B.time([&] { CALL(cuArrayDestroy)(A); });
  });
  C.add("cuMipmappedArrayDestroy", "512 x 512 floats, 4 levels", Facts(),
        [](Bench &B) {
          CUDA_ARRAY3D_DESCRIPTOR Form3 = {512, 512, 0, CU_AD_FORMAT_FLOAT,
                                           1,   0};
          CUmipmappedArray A = nullptr;
          CALL(cuMipmappedArrayCreate)(&A, &Form3, 4);
          B.time([&] { CALL(cuMipmappedArrayDestroy)(A); });
        });
}

/// 64 MiB of virtual memory in the making; each step is undone by the
/// destructor, if it was taken and not undone.
struct Virtual {
  explicit Virtual(const Bench &B) {
    Properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    Properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    Properties.location.id = B.Device;
    Access.location = Properties.location;
    Access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    CALL(cuMemAddressReserve)(&Address, Bytes, 0, 0, 0);
  }
  void create() {
    CALL(cuMemCreate)(&Handle, Bytes, &Properties, 0);
    Created = failure().empty();
  }
  void map() {
    CALL(cuMemMap)(Address, Bytes, 0, Handle, 0);
    Mapped = failure().empty();
  }
  void setAccess() { CALL(cuMemSetAccess)(Address, Bytes, &Access, 1); }
  void unmap() {
    CALL(cuMemUnmap)(Address, Bytes);
    Mapped = false;
  }
  void release() {
    CALL(cuMemRelease)(Handle);
    Created = false;
  }
  ~Virtual() {
    if (Mapped)
      unmap();
    if (Created)
      release();
    CALL(cuMemAddressFree)(Address, Bytes);
  }
  Virtual(const Virtual &) = delete;
  Virtual &operator=(const Virtual &) = delete;

private:
  static constexpr size_t Bytes = 64 * MiB;
  CUmemAllocationProp Properties = {};
  CUmemAccessDesc Access = {};
  CUdeviceptr Address = 0;
  CUmemGenericAllocationHandle Handle = 0;
  bool Created = false, Mapped = false;
};

void addVirtualMemory(Cases &C) {
  C.add("cuMemCreate", "64 MiB", Facts(), [](Bench &B) {
    Virtual V(B);
    B.time([&] { V.create(); });
  });
  C.add("cuMemMap", "64 MiB", Facts(), [](Bench &B) {
    Virtual V(B);
    V.create();
    B.time([&] { V.map(); });
  });
  C.add("cuMemSetAccess", "64 MiB", Facts(), [](Bench &B) {
    Virtual V(B);
    V.create();
    V.map();
    B.time([&] { V.setAccess(); });
  });
  C.add("cuMemUnmap", "64 MiB, with access", Facts(), [](Bench &B) {
    Virtual V(B);
    V.create();
    V.map();
    V.setAccess();
    B.time([&] { V.unmap(); });
  });
  C.add("cuMemRelease", "64 MiB", Facts(), [](Bench &B) {
    Virtual V(B);
    V.create();
    B.time([&] { V.release(); });
  });
}

void addCode(Cases &C) {
  C.add("cuModuleLoadData", "two small kernels, as PTX", Facts(), [](Bench &B) {
    CUmodule Module = nullptr;
    B.time([&] { CALL(cuModuleLoadData)(&Module, B.ptx()); });
    CALL(cuModuleUnload)(Module);
  });
  C.add("cuModuleGetFunction", "", Facts(), [](Bench &B) {
    CUmodule Module = nullptr;
    CUfunction Kernel = nullptr;
    CALL(cuModuleLoadData)(&Module, B.ptx());
    B.time(
        [&] { CALL(cuModuleGetFunction)(&Kernel, Module, "autoprof_empty"); });
    CALL(cuModuleUnload)(Module);
  });
  C.add("cuModuleUnload", "its kernels ran", Facts(), [](Bench &B) {
    CUmodule Module = nullptr;
    CUfunction Kernel = nullptr;
    CALL(cuModuleLoadData)(&Module, B.ptx());
    CALL(cuModuleGetFunction)(&Kernel, Module, "autoprof_empty");
    CALL(cuLaunchKernel)(Kernel, 1, 1, 1, 1, 1, 1, 0, B.OwnStream, nullptr,
                         nullptr);
    B.time([&] { CALL(cuModuleUnload)(Module); });
  });
  auto Load = [](const Bench &B) {
    CUlibrary Library = nullptr;
    CALL(cuLibraryLoadData)(&Library, B.ptx(), nullptr, nullptr, 0, nullptr,
                            nullptr, 0);
    return Library;
  };
  C.add("cuLibraryLoadData", "two small kernels, as PTX", Facts(),
        [](Bench &B) {
          CUlibrary Library = nullptr;
          B.time([&] {
            CALL(cuLibraryLoadData)(&Library, B.ptx(), nullptr, nullptr, 0,
                                    nullptr, nullptr, 0);
          });
          CALL(cuLibraryUnload)(Library);
        });
  C.add("cuLibraryGetKernel", "", Facts(), [Load](Bench &B) {
    CUlibrary Library = Load(B);
    CUkernel Kernel = nullptr;
    B.time(
        [&] { CALL(cuLibraryGetKernel)(&Kernel, Library, "autoprof_empty"); });
    CALL(cuLibraryUnload)(Library);
  });
  C.add("cuKernelGetFunction", "not loaded yet", Facts(), [Load](Bench &B) {
    CUlibrary Library = Load(B);
    CUkernel Kernel = nullptr;
    CUfunction Function = nullptr;
    CALL(cuLibraryGetKernel)(&Kernel, Library, "autoprof_empty");
    B.time([&] { CALL(cuKernelGetFunction)(&Function, Kernel); });
    CALL(cuLibraryUnload)(Library);
  });
  C.add("cuLibraryUnload", "its kernels are loaded", Facts(), [Load](Bench &B) {
    CUlibrary Library = Load(B);
    CUkernel Kernel = nullptr;
    CUfunction Function = nullptr;
    CALL(cuLibraryGetKernel)(&Kernel, Library, "autoprof_empty");
    CALL(cuKernelGetFunction)(&Function, Kernel);
    B.time([&] { CALL(cuLibraryUnload)(Library); });
  });
}

void addLimits(Cases &C) {
  C.add("cuCtxSetLimit", "a larger stack", flag(StackLimit), [](Bench &B) {
    size_t Before = 0;
    CALL(cuCtxGetLimit)(&Before, CU_LIMIT_STACK_SIZE);
    B.time([&] { CALL(cuCtxSetLimit)(CU_LIMIT_STACK_SIZE, Before + 4 * KiB); });
    CALL(cuCtxSetLimit)(CU_LIMIT_STACK_SIZE, Before);
  });
  C.add("cuCtxSetLimit", "the printf buffer", flag(OtherLimit), [](Bench &B) {
    size_t Before = 0;
    CALL(cuCtxGetLimit)(&Before, CU_LIMIT_PRINTF_FIFO_SIZE);
    B.time(
        [&] { CALL(cuCtxSetLimit)(CU_LIMIT_PRINTF_FIFO_SIZE, Before + MiB); });
    CALL(cuCtxSetLimit)(CU_LIMIT_PRINTF_FIFO_SIZE, Before);
  });
  C.add("cuCtxResetPersistingL2Cache", "", Facts(),
        [](Bench &B) { B.time([] { CALL(cuCtxResetPersistingL2Cache)(); }); });
  C.add("cuMemGetInfo", "", Facts(), [](Bench &B) {
    size_t Free = 0, Total = 0;
    B.time([&] { CALL(cuMemGetInfo)(&Free, &Total); });
  });
}

} // namespace

void autoprof::calibrate::addDriver(Cases &C) {
  for (size_t Bytes : {4 * KiB, MiB, 64 * MiB})
    addCopies(C, Bytes);
  addSets(C);
  addSynchronization(C);
  for (size_t Bytes : {MiB, 64 * MiB})
    addMemory(C, Bytes);
  addPools(C);
  addArrays(C);
  addVirtualMemory(C);
  addCode(C);
  addLimits(C);
}

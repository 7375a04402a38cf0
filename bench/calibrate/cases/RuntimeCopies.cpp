// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and sets of the CUDA runtime, by direction, kind of memory and size:
// sizes are around the thresholds at which a driver changes its method.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>
#include <initializer_list>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

constexpr size_t Sizes[] = {1,   4 * KiB, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1,
                            MiB, 64 * MiB};

struct Kind {
  M Memory;
  const char *Text;
  values::Memory Value;
};
constexpr Kind PageableKind = {M::Pageable, "pageable memory", Pageable};
constexpr Kind PinnedKind = {M::Pinned, "pinned memory", Pinned};
constexpr Kind RegisteredKind = {M::Registered, "registered memory", Pinned};
constexpr Kind DeviceKind = {M::Device, "device memory", values::Device};
constexpr Kind ManagedKind = {M::Managed, "managed memory", Managed};

struct Copy {
  values::Direction Direction;
  cudaMemcpyKind Runtime;
  const char *Text;
  Kind From, To;
};

constexpr Copy Copies[] = {
    {HtoD, cudaMemcpyHostToDevice, "from pageable memory", PageableKind,
     DeviceKind},
    {HtoD, cudaMemcpyHostToDevice, "from pinned memory", PinnedKind,
     DeviceKind},
    {HtoD, cudaMemcpyHostToDevice, "from registered memory", RegisteredKind,
     DeviceKind},
    {DtoH, cudaMemcpyDeviceToHost, "into pageable memory", DeviceKind,
     PageableKind},
    {DtoH, cudaMemcpyDeviceToHost, "into pinned memory", DeviceKind,
     PinnedKind},
    {DtoH, cudaMemcpyDeviceToHost, "into registered memory", DeviceKind,
     RegisteredKind},
    {DtoD, cudaMemcpyDeviceToDevice, "within the device", DeviceKind,
     DeviceKind},
    {HtoH, cudaMemcpyHostToHost, "host to host, pageable memory", PageableKind,
     PageableKind},
    {HtoH, cudaMemcpyHostToHost, "host to host, pinned memory", PinnedKind,
     PinnedKind},
};

/// Copies with managed memory depend on how the driver classifies the pointers.
constexpr Copy ManagedCopies[] = {
    {HtoD, cudaMemcpyDefault, "from pageable into managed memory", PageableKind,
     ManagedKind},
    {DtoH, cudaMemcpyDefault, "from managed into pageable memory", ManagedKind,
     PageableKind},
    {DtoH, cudaMemcpyDefault, "from managed into pinned memory", ManagedKind,
     PinnedKind},
    {DtoD, cudaMemcpyDefault, "from managed into device memory", ManagedKind,
     DeviceKind},
    {DtoD, cudaMemcpyDefault, "from device into managed memory", DeviceKind,
     ManagedKind},
};

Facts factsOf(const Copy &C, size_t Bytes) {
  return direction(C.Direction) & source(C.From.Value) &
         destination(C.To.Value) & size(sizeOf(Bytes));
}

std::string textOf(const Copy &C, size_t Bytes) {
  return std::string(C.Text) + ", " + sizeText(Bytes);
}

void addPlain(Cases &Out, const Copy &C, size_t Bytes) {
  Out.add("cudaMemcpy", textOf(C, Bytes), factsOf(C, Bytes),
          [C, Bytes](Bench &B) {
            void *From = B.buffer(C.From.Memory, 0);
            void *To = B.buffer(C.To.Memory, 1);
            B.time([&] { CALL(cudaMemcpy)(To, From, Bytes, C.Runtime); });
          });
  Out.add("cudaMemcpyAsync", textOf(C, Bytes), factsOf(C, Bytes),
          [C, Bytes](Bench &B) {
            void *From = B.buffer(C.From.Memory, 0);
            void *To = B.buffer(C.To.Memory, 1);
            B.time([&] {
              CALL(cudaMemcpyAsync)(To, From, Bytes, C.Runtime, B.OwnStream);
            });
          });
}

constexpr size_t Width = 1000, Pitch = 1024, Height = 64;

void add2D(Cases &Out, const Copy &C) {
  std::string Arguments = std::string(C.Text) + ", 64 rows of 1,000 B";
  Facts Known = factsOf(C, Width * Height);
  Out.add("cudaMemcpy2D", Arguments, Known, [C](Bench &B) {
    void *From = B.buffer(C.From.Memory, 0), *To = B.buffer(C.To.Memory, 1);
    B.time([&] {
      CALL(cudaMemcpy2D)(To, Pitch, From, Pitch, Width, Height, C.Runtime);
    });
  });
  Out.add("cudaMemcpy2DAsync", Arguments, Known, [C](Bench &B) {
    void *From = B.buffer(C.From.Memory, 0), *To = B.buffer(C.To.Memory, 1);
    B.time([&] {
      CALL(cudaMemcpy2DAsync)(To, Pitch, From, Pitch, Width, Height, C.Runtime,
                              B.OwnStream);
    });
  });
  auto Parameters = [C](Bench &B) {
    cudaMemcpy3DParms P = {};
    P.srcPtr = {B.buffer(C.From.Memory, 0), Pitch, Width, Height};
    P.dstPtr = {B.buffer(C.To.Memory, 1), Pitch, Width, Height};
    P.extent = {Width, Height, 1};
    P.kind = C.Runtime;
    return P;
  };
  Out.add("cudaMemcpy3D", Arguments, Known, [Parameters](Bench &B) {
    cudaMemcpy3DParms P = Parameters(B);
    B.time([&] { CALL(cudaMemcpy3D)(&P); });
  });
  Out.add("cudaMemcpy3DAsync", Arguments, Known, [Parameters](Bench &B) {
    cudaMemcpy3DParms P = Parameters(B);
    B.time([&] { CALL(cudaMemcpy3DAsync)(&P, B.OwnStream); });
  });
}

/// A two-dimensional array of floats, kept.
cudaArray_t array(unsigned Index = 0) {
  static cudaArray_t Arrays[2];
  if (!Arrays[Index]) {
    cudaChannelFormatDesc Float = {32, 0, 0, 0, cudaChannelFormatKindFloat};
    CALL(cudaMallocArray)(&Arrays[Index], &Float, Pitch / 4, Height, 0);
  }
  return Arrays[Index];
}

void addArrays(Cases &Out, const Copy &C) {
  std::string Arguments = std::string(C.Text) + ", 64 rows of 1,000 B";
  Facts Known = factsOf(C, Width * Height);
  if (C.Direction == HtoD || C.Direction == DtoD) {
    Out.add("cudaMemcpy2DToArray", Arguments, Known, [C](Bench &B) {
      void *From = B.buffer(C.From.Memory);
      cudaArray_t To = array();
      B.time([&] {
        CALL(cudaMemcpy2DToArray)(To, 0, 0, From, Pitch, Width, Height,
                                  C.Runtime);
      });
    });
    Out.add("cudaMemcpy2DToArrayAsync", Arguments, Known, [C](Bench &B) {
      void *From = B.buffer(C.From.Memory);
      cudaArray_t To = array();
      B.time([&] {
        CALL(cudaMemcpy2DToArrayAsync)(To, 0, 0, From, Pitch, Width, Height,
                                       C.Runtime, B.OwnStream);
      });
    });
  }
  if (C.Direction == DtoH || C.Direction == DtoD) {
    Out.add("cudaMemcpy2DFromArray", Arguments, Known, [C](Bench &B) {
      void *To = B.buffer(C.To.Memory);
      cudaArray_t From = array();
      B.time([&] {
        CALL(cudaMemcpy2DFromArray)(To, Pitch, From, 0, 0, Width, Height,
                                    C.Runtime);
      });
    });
    Out.add("cudaMemcpy2DFromArrayAsync", Arguments, Known, [C](Bench &B) {
      void *To = B.buffer(C.To.Memory);
      cudaArray_t From = array();
      B.time([&] {
        CALL(cudaMemcpy2DFromArrayAsync)(To, Pitch, From, 0, 0, Width, Height,
                                         C.Runtime, B.OwnStream);
      });
    });
  }
}

/// Four copies at once.
void addBatch(Cases &Out, const Copy &C, size_t Bytes) {
#if CUDART_VERSION >= 13000
  Case &Added = Out.add(
      "cudaMemcpyBatchAsync", "4 copies " + textOf(C, Bytes) + " each",
      factsOf(C, Bytes), [C, Bytes](Bench &B) {
        void *To[4];
        const void *From[4];
        size_t Sizes[4], First = 0;
        for (unsigned I = 0; I < 4; ++I) {
          To[I] = static_cast<char *>(B.buffer(C.To.Memory, 1)) + I * Bytes;
          From[I] = static_cast<char *>(B.buffer(C.From.Memory, 0)) + I * Bytes;
          Sizes[I] = Bytes;
        }
        cudaMemcpyAttributes Attributes = {};
        Attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
        B.time([&] {
          CALL(cudaMemcpyBatchAsync)(To, From, Sizes, 4, &Attributes, &First, 1,
                                     B.OwnStream);
        });
      });
  Added.CudaMajor = 13;
#endif
}

void addSets(Cases &Out) {
  constexpr Kind Kinds[] = {DeviceKind, PinnedKind, ManagedKind};
  for (const Kind &K : Kinds) {
    Facts Known = destination(K.Value);
    std::string Arguments = std::string(K.Text) + ", 1 MiB";
    Out.add("cudaMemset", Arguments, Known, [K](Bench &B) {
      void *P = B.buffer(K.Memory);
      B.time([&] { CALL(cudaMemset)(P, 0, MiB); });
    });
    Out.add("cudaMemsetAsync", Arguments, Known, [K](Bench &B) {
      void *P = B.buffer(K.Memory);
      B.time([&] { CALL(cudaMemsetAsync)(P, 0, MiB, B.OwnStream); });
    });
    Arguments = std::string(K.Text) + ", 64 rows of 1,000 B";
    Out.add("cudaMemset2D", Arguments, Known, [K](Bench &B) {
      void *P = B.buffer(K.Memory);
      B.time([&] { CALL(cudaMemset2D)(P, Pitch, 0, Width, Height); });
    });
    Out.add("cudaMemset2DAsync", Arguments, Known, [K](Bench &B) {
      void *P = B.buffer(K.Memory);
      B.time([&] {
        CALL(cudaMemset2DAsync)(P, Pitch, 0, Width, Height, B.OwnStream);
      });
    });
    Out.add("cudaMemset3D", Arguments, Known, [K](Bench &B) {
      cudaPitchedPtr P = {B.buffer(K.Memory), Pitch, Width, Height};
      B.time([&] { CALL(cudaMemset3D)(P, 0, {Width, Height, 1}); });
    });
    Out.add("cudaMemset3DAsync", Arguments, Known, [K](Bench &B) {
      cudaPitchedPtr P = {B.buffer(K.Memory), Pitch, Width, Height};
      B.time([&] {
        CALL(cudaMemset3DAsync)(P, 0, {Width, Height, 1}, B.OwnStream);
      });
    });
  }
}

} // namespace

void autoprof::calibrate::addRuntimeCopies(Cases &Out) {
  for (size_t Bytes : Sizes)
    for (const Copy &C : Copies)
      addPlain(Out, C, Bytes);
  // Where between 1 and 64 MiB staging makes a pageable copy wait.
  for (size_t Bytes : {2 * MiB, 4 * MiB, 8 * MiB, 16 * MiB, 32 * MiB})
    addPlain(Out, Copies[0], Bytes);
  for (const Copy &C : ManagedCopies)
    for (size_t Bytes : {4 * KiB, MiB})
      addPlain(Out, C, Bytes);
  for (const Copy &C : Copies) {
    add2D(Out, C);
    addArrays(Out, C);
    for (size_t Bytes : {4 * KiB, MiB})
      addBatch(Out, C, Bytes);
  }
  Out.add("cudaMemcpy2DArrayToArray", "64 rows of 1,000 B", Facts(),
          [](Bench &B) {
            cudaArray_t To = array(0), From = array(1);
            B.time([&] {
              CALL(cudaMemcpy2DArrayToArray)(To, 0, 0, From, 0, 0, Width,
                                             Height, cudaMemcpyDeviceToDevice);
            });
          });
  addSets(Out);
}

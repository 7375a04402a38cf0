// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA graphs of the runtime.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#include <cuda_runtime_api.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

cudaGraph_t kernels(const Bench &B, unsigned Count) {
  cudaGraph_t G = nullptr;
  CALL(cudaGraphCreate)(&G, 0);
  cudaKernelNodeParams P = {};
  P.func = const_cast<void *>(B.EmptyKernel);
  P.gridDim = P.blockDim = {1, 1, 1};
  cudaGraphNode_t Last = nullptr;
  for (unsigned I = 0; I < Count; ++I) {
    cudaGraphNode_t Next = nullptr;
    CALL(cudaGraphAddKernelNode)(&Next, G, &Last, I ? 1 : 0, &P);
    Last = Next;
  }
  return G;
}

cudaGraph_t copy(void *To, const void *From, size_t Bytes,
                 cudaMemcpyKind Kind) {
  cudaGraph_t G = nullptr;
  cudaGraphNode_t Node = nullptr;
  CALL(cudaGraphCreate)(&G, 0);
  CALL(cudaGraphAddMemcpyNode1D)(&Node, G, nullptr, 0, To, From, Bytes, Kind);
  return G;
}

cudaGraphExec_t instantiate(cudaGraph_t G) {
  cudaGraphExec_t E = nullptr;
  CALL(cudaGraphInstantiate)(&E, G, 0);
  return E;
}

void destroy(cudaGraphExec_t E, cudaGraph_t G) {
  if (E)
    CALL(cudaGraphExecDestroy)(E);
  CALL(cudaGraphDestroy)(G);
}

void addSteps(Cases &C) {
  constexpr unsigned Nodes = 16;
  C.add("cudaGraphInstantiate", "16 kernels", Facts(), [](Bench &B) {
    cudaGraph_t G = kernels(B, Nodes);
    cudaGraphExec_t E = nullptr;
    B.time([&] { CALL(cudaGraphInstantiate)(&E, G, 0); });
    destroy(E, G);
  });
  C.add("cudaGraphUpload", "16 kernels", Facts(), [](Bench &B) {
    cudaGraph_t G = kernels(B, Nodes);
    cudaGraphExec_t E = instantiate(G);
    B.time([&] { CALL(cudaGraphUpload)(E, B.OwnStream); });
    destroy(E, G);
  });
  C.add("cudaGraphLaunch", "16 kernels, uploaded", Facts(), [](Bench &B) {
    cudaGraph_t G = kernels(B, Nodes);
    cudaGraphExec_t E = instantiate(G);
    CALL(cudaGraphUpload)(E, B.OwnStream);
    B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
    destroy(E, G);
  });
  C.add("cudaGraphLaunch", "16 kernels, the first launch", Facts(),
        [](Bench &B) {
          cudaGraph_t G = kernels(B, Nodes);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
        });
  C.add("cudaGraphLaunch", "16 kernels, while the same graph is queued",
        Facts(), [](Bench &B) {
          cudaGraph_t G = kernels(B, Nodes);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); },
                 [&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
        });
  C.add("cudaGraphExecUpdate", "while the graph is queued", Facts(),
        [](Bench &B) {
          cudaGraph_t G = kernels(B, Nodes), Other = kernels(B, Nodes);
          cudaGraphExec_t E = instantiate(G);
          cudaGraphExecUpdateResultInfo Info = {};
          B.time([&] { CALL(cudaGraphExecUpdate)(E, Other, &Info); },
                 [&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
          destroy(nullptr, Other);
        });
  C.add("cudaGraphExecDestroy", "while the graph is queued", Facts(),
        [](Bench &B) {
          cudaGraph_t G = kernels(B, Nodes);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphExecDestroy)(E); },
                 [&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(nullptr, G);
        });
}

void addCopies(Cases &C, size_t Bytes) {
  C.add("cudaGraphLaunch", "a copy from pageable memory, " + sizeText(Bytes),
        direction(HtoD) & source(Pageable) & size(sizeOf(Bytes)),
        [Bytes](Bench &B) {
          cudaGraph_t G = copy(B.buffer(M::Device), B.buffer(M::Pageable),
                               Bytes, cudaMemcpyHostToDevice);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
        });
  C.add("cudaGraphLaunch", "a copy into pageable memory, " + sizeText(Bytes),
        direction(DtoH) & destination(Pageable) & size(sizeOf(Bytes)),
        [Bytes](Bench &B) {
          cudaGraph_t G = copy(B.buffer(M::Pageable), B.buffer(M::Device),
                               Bytes, cudaMemcpyDeviceToHost);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
        });
  C.add("cudaGraphLaunch", "a copy into pinned memory, " + sizeText(Bytes),
        direction(DtoH) & destination(Pinned) & size(sizeOf(Bytes)),
        [Bytes](Bench &B) {
          cudaGraph_t G = copy(B.buffer(M::Pinned), B.buffer(M::Device), Bytes,
                               cudaMemcpyDeviceToHost);
          cudaGraphExec_t E = instantiate(G);
          B.time([&] { CALL(cudaGraphLaunch)(E, B.OwnStream); });
          destroy(E, G);
        });
}

void addMemory(Cases &C) {
  C.add("cudaDeviceGraphMemTrim", "with 64 MiB to give back", Facts(),
        [](Bench &B) {
          cudaGraph_t G = nullptr;
          cudaGraphNode_t Alloc = nullptr, Free = nullptr;
          CALL(cudaGraphCreate)(&G, 0);
          cudaMemAllocNodeParams P = {};
          P.poolProps.allocType = cudaMemAllocationTypePinned;
          P.poolProps.location = {cudaMemLocationTypeDevice, B.Device};
          P.bytesize = 64 * MiB;
          CALL(cudaGraphAddMemAllocNode)(&Alloc, G, nullptr, 0, &P);
          CALL(cudaGraphAddMemFreeNode)(&Free, G, &Alloc, 1, P.dptr);
          cudaGraphExec_t E = instantiate(G);
          CALL(cudaGraphLaunch)(E, B.OwnStream);
          CALL(cudaStreamSynchronize)(B.OwnStream);
          destroy(E, G);
          B.time([&] { CALL(cudaDeviceGraphMemTrim)(B.Device); });
        });
}

} // namespace

void autoprof::calibrate::addGraphs(Cases &C) {
  addSteps(C);
  for (size_t Bytes : {4 * KiB, MiB, 64 * MiB})
    addCopies(C, Bytes);
  addMemory(C);
}

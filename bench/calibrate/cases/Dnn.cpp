// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuDNN: handles, and calls that hold or set up state.
#include "calibrate/Bench.h"
#include "calibrate/CaseFiles.h"

#if __has_include(<cudnn.h>)
#include <cudnn.h>

using namespace autoprof::calibrate;
using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using M = Bench::Memory;

namespace {

/// Kept, on the own stream.
cudnnHandle_t handle(const Bench &B) {
  static cudnnHandle_t H = nullptr;
  if (!H) {
    CALL(cudnnCreate)(&H);
    CALL(cudnnSetStream)(H, B.OwnStream);
  }
  return H;
}

void addHandles(Cases &C) {
  C.add("cudnnCreate", "", Facts(), [](Bench &B) {
    cudnnHandle_t H = nullptr;
    B.time([&] { CALL(cudnnCreate)(&H); });
    CALL(cudnnDestroy)(H);
  });
  C.add("cudnnDestroy", "", Facts(), [](Bench &B) {
    cudnnHandle_t H = nullptr;
    CALL(cudnnCreate)(&H);
    B.time([&] { CALL(cudnnDestroy)(H); });
  });
  C.add("cudnnSetStream", "", Facts(), [](Bench &B) {
    cudnnHandle_t H = handle(B);
    B.time([&] { CALL(cudnnSetStream)(H, B.OwnStream); });
  });
  for (bool Blocking : {true, false})
    C.add(
        "cudnnQueryRuntimeError",
        Blocking ? "CUDNN_ERRQUERY_BLOCKING" : "CUDNN_ERRQUERY_NONBLOCKING",
        flag(Blocking ? BlockingCall : NonBlockingCall), [Blocking](Bench &B) {
          cudnnHandle_t H = handle(B);
          cudnnStatus_t Status = CUDNN_STATUS_SUCCESS;
          B.time([&] {
            CALL(cudnnQueryRuntimeError)(H, &Status,
                                         Blocking ? CUDNN_ERRQUERY_BLOCKING
                                                  : CUDNN_ERRQUERY_NONBLOCKING,
                                         nullptr);
          });
        });
}

/// Activations of 16 images of 8 channels, 32 x 32.
cudnnTensorDescriptor_t images() {
  static cudnnTensorDescriptor_t D = nullptr;
  if (!D) {
    CALL(cudnnCreateTensorDescriptor)(&D);
    CALL(cudnnSetTensor4dDescriptor)(D, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 16,
                                     8, 32, 32);
  }
  return D;
}

void addWork(Cases &C) {
  C.add("cudnnSoftmaxForward", "16 x 8 x 32 x 32 floats", Facts(),
        [](Bench &B) {
          cudnnHandle_t H = handle(B);
          cudnnTensorDescriptor_t D = images();
          void *From = B.buffer(M::Device, 0), *To = B.buffer(M::Device, 1);
          float Alpha = 1, Beta = 0;
          B.time([&] {
            CALL(cudnnSoftmaxForward)(H, CUDNN_SOFTMAX_ACCURATE,
                                      CUDNN_SOFTMAX_MODE_CHANNEL, &Alpha, D,
                                      From, &Beta, D, To);
          });
        });
  C.add("cudnnScaleTensor", "16 x 8 x 32 x 32 floats", Facts(), [](Bench &B) {
    cudnnHandle_t H = handle(B);
    cudnnTensorDescriptor_t D = images();
    void *P = B.buffer(M::Device);
    float Alpha = 2;
    B.time([&] { CALL(cudnnScaleTensor)(H, D, P, &Alpha); });
  });
  C.add("cudnnSetDropoutDescriptor", "", Facts(), [](Bench &B) {
    cudnnHandle_t H = handle(B);
    cudnnDropoutDescriptor_t D = nullptr;
    size_t Bytes = 0;
    CALL(cudnnCreateDropoutDescriptor)(&D);
    CALL(cudnnDropoutGetStatesSize)(H, &Bytes);
    void *States = B.buffer(M::Device);
    B.time(
        [&] { CALL(cudnnSetDropoutDescriptor)(D, H, 0.5F, States, Bytes, 7); });
    CALL(cudnnDestroyDropoutDescriptor)(D);
  });
}

/// Of 8 steps, 2 sequences, an alphabet of 16.
void addCtcLoss(Cases &C) {
  C.add("cudnnCTCLoss", "labels in host memory", Facts(), [](Bench &B) {
    cudnnHandle_t H = handle(B);
    cudnnCTCLossDescriptor_t Loss = nullptr;
    cudnnTensorDescriptor_t D = nullptr;
    const int Dims[] = {8, 2, 16}, Strides[] = {32, 16, 1};
    const int Labels[] = {1, 2, 3, 4}, Lengths[] = {2, 2}, Steps[] = {8, 8};
    CALL(cudnnCreateCTCLossDescriptor)(&Loss);
    CALL(cudnnSetCTCLossDescriptor)(Loss, CUDNN_DATA_FLOAT);
    CALL(cudnnCreateTensorDescriptor)(&D);
    CALL(cudnnSetTensorNdDescriptor)(D, CUDNN_DATA_FLOAT, 3, Dims, Strides);
    size_t Bytes = 0;
    CALL(cudnnGetCTCLossWorkspaceSize)(H, D, D, Labels, Lengths, Steps,
                                       CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, Loss,
                                       &Bytes);
    char *P = static_cast<char *>(B.buffer(M::Device, 0));
    void *Work = B.buffer(M::Device, 1);
    B.time([&] {
      CALL(cudnnCTCLoss)(H, D, P, Labels, Lengths, Steps, P + MiB, D,
                         P + 2 * MiB, CUDNN_CTC_LOSS_ALGO_DETERMINISTIC, Loss,
                         Work, Bytes);
    });
    CALL(cudnnDestroyTensorDescriptor)(D);
    CALL(cudnnDestroyCTCLossDescriptor)(Loss);
  });
}

} // namespace

void autoprof::calibrate::addDnn(Cases &C) {
  addHandles(C);
  addWork(C);
  addCtcLoss(C);
}
#else
void autoprof::calibrate::addDnn(Cases &C) { C.NotBuilt.push_back("cudnn"); }
#endif

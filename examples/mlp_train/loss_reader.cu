// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loss_reader.h"

static void print_line(int step, float loss) {
  std::printf("step %d loss %.7f\n", step, loss);
}

LossReader::LossReader(const Options &options, const float *device_loss,
                       cudaStream_t stream)
    : mode_(options.loss_mode), every_(options.loss_every),
      device_loss_(device_loss), stream_(stream) {
  if (mode_ != LossMode::Deferred)
    return;
  CUDA_CHECK(cudaMallocHost(&ring_, kSlots * sizeof(float)));
  for (cudaEvent_t &event : arrived_)
    CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
}

LossReader::~LossReader() {
  if (mode_ != LossMode::Deferred)
    return;
  for (cudaEvent_t event : arrived_)
    cudaEventDestroy(event);
  cudaFreeHost(ring_);
}

void LossReader::after_step(int step) {
  switch (mode_) {
  case LossMode::Print:
    print_loss(step);
    break;
  case LossMode::Every:
    if ((step + 1) % every_ == 0)
      print_loss(step);
    break;
  case LossMode::Deferred:
    queue_loss();
    print_ready_losses();
    break;
  case LossMode::None:
    break;
  }
}

void LossReader::finish() {
  while (printed_ < queued_) {
    wait_for_oldest();
    print_oldest();
  }
}

void LossReader::print_loss(int step) {
  float loss = 0.0F;
  CUDA_CHECK(
      cudaMemcpy(&loss, device_loss_, sizeof(loss), cudaMemcpyDeviceToHost));
  print_line(step, loss);
}

void LossReader::queue_loss() {
  if (queued_ - printed_ == kSlots) {
    wait_for_oldest();
    print_oldest();
  }
  int slot = queued_ % kSlots;
  CUDA_CHECK(cudaMemcpyAsync(&ring_[slot], device_loss_, sizeof(float),
                             cudaMemcpyDeviceToHost, stream_));
  CUDA_CHECK(cudaEventRecord(arrived_[slot], stream_));
  ++queued_;
}

void LossReader::print_ready_losses() {
  while (printed_ < queued_) {
    cudaError_t status = cudaEventQuery(arrived_[printed_ % kSlots]);
    if (status == cudaErrorNotReady)
      return;
    CUDA_CHECK(status);
    print_oldest();
  }
}

void LossReader::wait_for_oldest() {
  CUDA_CHECK(cudaEventSynchronize(arrived_[printed_ % kSlots]));
}

// Deferred mode queues every step, so the nth loss is that of step n.
void LossReader::print_oldest() {
  print_line(printed_, ring_[printed_ % kSlots]);
  ++printed_;
}

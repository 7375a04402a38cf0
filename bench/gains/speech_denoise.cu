// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes noise from speech with a network of three layers, by cuBLAS. Before:
// a batch of spectra is uploaded from ordinary memory, and the gains that the
// network computes are downloaded to it and applied by the host. After: both
// are pinned and there are two of each, so that the host prepares a batch and
// finishes another while the GPU works.
#include "gains.h"

#include <algorithm>
#include <cmath>

namespace {

constexpr int kFrames = 1024; // In a batch.
constexpr int kBands = 256, kHidden = 1024;
constexpr int kValues = kFrames * kBands;

__global__ void rectify(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = fmaxf(values[i], 0.0F);
}

__global__ void squash(float *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  values[i] = 1.0F / (1.0F + __expf(-values[i]));
}

std::vector<float> weights(int inputs, int outputs, unsigned seed) {
  std::vector<float> values = uniform_values(inputs * outputs, seed);
  for (float &value : values)
    value = (2.0F * value - 1.0F) * std::sqrt(6.0F / inputs);
  return values;
}

class Network {
public:
  Network() { CUBLAS_CHECK(cublasCreate(&blas_)); }
  Network(const Network &) = delete;
  Network &operator=(const Network &) = delete;
  ~Network() { cublasDestroy(blas_); }

  void infer(const float *spectra, float *gains) {
    multiply(first_, spectra, first_out_, kBands, kHidden);
    rectify<<<kFrames * kHidden / 256, 256>>>(first_out_);
    multiply(second_, first_out_, second_out_, kHidden, kHidden);
    rectify<<<kFrames * kHidden / 256, 256>>>(second_out_);
    multiply(third_, second_out_, gains, kHidden, kBands);
    squash<<<kValues / 256, 256>>>(gains);
  }

private:
  void multiply(const float *layer, const float *in, float *out, int inputs,
                int outputs) {
    float one = 1.0F, zero = 0.0F;
    CUBLAS_CHECK(cublasSgemm(blas_, CUBLAS_OP_N, CUBLAS_OP_N, outputs, kFrames,
                             inputs, &one, layer, outputs, in, inputs, &zero,
                             out, outputs));
  }

  cublasHandle_t blas_ = nullptr;
  DeviceArray<float> first_{weights(kBands, kHidden, 1)};
  DeviceArray<float> second_{weights(kHidden, kHidden, 400000)};
  DeviceArray<float> third_{weights(kHidden, kBands, 2000000)};
  DeviceArray<float> first_out_{kFrames * kHidden};
  DeviceArray<float> second_out_{kFrames * kHidden};
};

/// Stands for a recording and what is played.
struct Sound {
  std::vector<float> noisy = uniform_values(2 * kValues, 5);
  double energy = 0.0;

  const float *batch(int step) const {
    return noisy.data() + step * 37 % kFrames * kBands;
  }

  void play(int step, const float *gains) {
    const float *spectra = batch(step);
    float sum = 0.0F;
    for (int i = 0; i < kValues; i += kBands) {
      float frame = 0.0F;
      for (int band = i; band < i + kBands; ++band)
        frame += gains[band] * spectra[band];
      sum += frame;
    }
    energy += sum / kValues;
  }
};

/// A batch in flight.
struct Slot {
  PinnedArray<float> spectra{kValues}, gains{kValues};
  Event done;
};

} // namespace

Outcome speech_denoise(bool before, int steps) {
  constexpr std::size_t kBytes = kValues * sizeof(float);
  Network network;
  Sound sound;
  std::vector<float> spectra(kValues), gains(kValues);
  DeviceArray<float> spectra_on_gpu(kValues), gains_on_gpu(kValues);
  Slot slots[2];
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    const float *batch = sound.batch(step);
    if (before) {
      std::copy(batch, batch + kValues, spectra.begin());
      CUDA_CHECK(cudaMemcpy(spectra_on_gpu, spectra.data(), kBytes,
                            cudaMemcpyHostToDevice));
      network.infer(spectra_on_gpu, gains_on_gpu);
      CUDA_CHECK(cudaMemcpy(gains.data(), gains_on_gpu, kBytes,
                            cudaMemcpyDeviceToHost));
      sound.play(step, gains.data());
      continue;
    }
    Slot &slot = slots[step % 2];
    CUDA_CHECK(cudaEventSynchronize(slot.done));
    std::copy(batch, batch + kValues, static_cast<float *>(slot.spectra));
    // The gains of two steps ago are played before they are overwritten.
    if (step >= 2)
      sound.play(step - 2, slot.gains);
    CUDA_CHECK(cudaMemcpyAsync(spectra_on_gpu, slot.spectra, kBytes,
                               cudaMemcpyHostToDevice));
    network.infer(spectra_on_gpu, gains_on_gpu);
    CUDA_CHECK(cudaMemcpyAsync(slot.gains, gains_on_gpu, kBytes,
                               cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaEventRecord(slot.done));
  }
  double step_ns = clock.step_ns();
  if (!before)
    for (int step = clock.count() - 2; step < clock.count(); ++step)
      sound.play(step, slots[step % 2].gains);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sound.energy / clock.count()};
}

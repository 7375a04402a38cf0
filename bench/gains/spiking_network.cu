// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A network of neurons that spike. A step is a CUDA graph that uploads a
// stimulus from pinned memory and simulates 16 short periods. Before: the host
// waits for the graph before it writes the next stimulus. After: there are two
// pinned buffers, each with a graph, and the host writes one while the graph of
// the other runs.
#include "gains.h"

#include <cmath>

namespace {

constexpr int kNeurons = 1 << 15;
constexpr int kSynapses = 32; // Of each neuron.
constexpr int kInputs = 4096;
constexpr int kPeriods = 16; // Even, so that a step ends where it begins.

// The spikes of the period before arrive.
__global__ void gather(const unsigned char *spikes, const int *sources,
                       const float *weights, const float *stimulus,
                       float *currents) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float current = i < kInputs ? stimulus[i] : 0.0F;
  for (int synapse = 0; synapse < kSynapses; ++synapse) {
    int place = synapse * kNeurons + i;
    if (spikes[sources[place]])
      current += weights[place];
  }
  currents[i] = current;
}

// The model of Izhikevich: `neuron` has a potential and a recovery.
__global__ void integrate(const float *currents, float2 *neurons,
                          unsigned char *spikes, unsigned *counts) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = neurons[i].x, u = neurons[i].y, current = currents[i];
  for (int half = 0; half < 2; ++half)
    v += 0.5F * (0.04F * v * v + 5.0F * v + 140.0F - u + current);
  u += 0.02F * (0.2F * v - u);
  bool spike = v >= 30.0F;
  if (spike) {
    v = -65.0F;
    u += 8.0F;
    ++counts[i];
  }
  neurons[i] = {v, u};
  spikes[i] = spike;
}

class Network {
public:
  Network()
      : weights_(uniform_values(kNeurons * kSynapses, 11)),
        neurons_(std::vector<float2>(kNeurons, {-65.0F, -13.0F})) {
    std::vector<int> sources(kNeurons * kSynapses);
    for (std::size_t i = 0; i < sources.size(); ++i)
      sources[i] =
          static_cast<int>(scramble(static_cast<unsigned>(i) + 5) % kNeurons);
    CUDA_CHECK(cudaMemcpy(sources_, sources.data(),
                          sources.size() * sizeof(int),
                          cudaMemcpyHostToDevice));
  }

  void run(const float *stimulus, cudaStream_t stream) {
    constexpr int kBlocks = kNeurons / 128;
    CUDA_CHECK(cudaMemcpyAsync(stimulus_, stimulus, kInputs * sizeof(float),
                               cudaMemcpyHostToDevice, stream));
    for (int period = 0; period < kPeriods; ++period) {
      gather<<<kBlocks, 128, 0, stream>>>(spikes_, sources_, weights_,
                                          stimulus_, currents_);
      integrate<<<kBlocks, 128, 0, stream>>>(currents_, neurons_, spikes_,
                                             counts_);
    }
  }

  double count_spikes() const {
    std::vector<unsigned> counts(kNeurons);
    CUDA_CHECK(cudaMemcpy(counts.data(), counts_, kNeurons * sizeof(unsigned),
                          cudaMemcpyDeviceToHost));
    double sum = 0.0;
    for (int i = 0; i < kNeurons; ++i)
      sum += static_cast<double>(counts[i]) * (1 + i % 7);
    return sum;
  }

private:
  DeviceArray<int> sources_{kNeurons * kSynapses};
  DeviceArray<float> weights_, stimulus_{kInputs}, currents_{kNeurons};
  DeviceArray<float2> neurons_;
  DeviceArray<unsigned char> spikes_{kNeurons};
  DeviceArray<unsigned> counts_{kNeurons};
};

/// A stimulus and the graph that uploads it.
class Slot {
public:
  Slot(Network &network, cudaStream_t stream) {
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    network.run(stimulus_, stream);
    CUDA_CHECK(cudaStreamEndCapture(stream, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&graph_, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  Slot(const Slot &) = delete;
  Slot &operator=(const Slot &) = delete;
  ~Slot() { cudaGraphExecDestroy(graph_); }

  /// Shows a spot that moves over a retina, with noise.
  void stimulate(int step) {
    for (int i = 0; i < kInputs; ++i) {
      float distance = static_cast<float>((i + 37 * step) % kInputs) / kInputs;
      stimulus_[i] = 12.0F * uniform(step * kInputs + i) +
                     10.0F * std::abs(distance - 0.5F);
    }
  }

  void launch(cudaStream_t stream) {
    CUDA_CHECK(cudaGraphLaunch(graph_, stream));
    CUDA_CHECK(cudaEventRecord(done_, stream));
  }

  void wait() { CUDA_CHECK(cudaEventSynchronize(done_)); }

private:
  PinnedArray<float> stimulus_{kInputs};
  Event done_;
  cudaGraphExec_t graph_ = nullptr;
};

} // namespace

Outcome spiking_network(bool before, int steps) {
  Network network;
  Stream stream;
  Slot slots[2] = {{network, stream}, {network, stream}};
  StepClock clock(steps, stream);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Slot &slot = slots[before ? 0 : step % 2];
    slot.wait();
    slot.stimulate(step);
    slot.launch(stream);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, network.count_spikes() / clock.count()};
}

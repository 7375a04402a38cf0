// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last layer of an object detector, and the selection of objects on the
// host. Before: the four outputs are copied one after the other. After: they
// are copied to pinned memory without waiting, and used one step later.
#include "gains.h"

#include <algorithm>

namespace {

constexpr int kAnchors = 4096;
constexpr int kClasses = 80;
constexpr int kEmbedding = 64;
constexpr int kChannels = 256;

// One block per anchor: the scores of its classes, from its features.
__global__ void classify(const float *features, const float *weights,
                         float *scores, int *classes, unsigned step) {
  __shared__ float input[kChannels];
  __shared__ float logits[kClasses];
  int anchor = blockIdx.x;
  int row = (anchor + step * 97) % kAnchors; // Another image in each step.
  for (int i = threadIdx.x; i < kChannels; i += blockDim.x)
    input[i] = features[row * kChannels + i];
  __syncthreads();
  if (threadIdx.x < kClasses) {
    float logit = 0.0F;
    for (int i = 0; i < kChannels; ++i)
      logit += input[i] * weights[i * kClasses + threadIdx.x];
    logits[threadIdx.x] = logit;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    int best = 0;
    for (int i = 1; i < kClasses; ++i)
      if (logits[i] > logits[best])
        best = i;
    scores[anchor] = 1.0F / (1.0F + __expf(72.0F - logits[best]));
    classes[anchor] = best;
  }
}

__global__ void regress(const float *features, const float *weights,
                        float4 *boxes, float *embeddings, unsigned step) {
  int anchor = blockIdx.x;
  const float *input = features + (anchor + step * 97) % kAnchors * kChannels;
  float sum = 0.0F;
  for (int i = 0; i < kChannels; ++i)
    sum += input[i] * weights[i * kEmbedding + threadIdx.x];
  embeddings[anchor * kEmbedding + threadIdx.x] = sum;
  if (threadIdx.x == 0) {
    float x = static_cast<float>(anchor % 64),
          y = static_cast<float>(anchor / 64);
    boxes[anchor] = {x - input[0], y - input[1], x + input[2], y + input[3]};
  }
}

/// Adds up the areas and the embeddings of the objects found.
double select(const float4 *boxes, const float *scores, const int *classes,
              const float *embeddings) {
  double sum = 0.0;
  for (int i = 0; i < kAnchors; ++i) {
    if (scores[i] < 0.5F)
      continue;
    const float4 &box = boxes[i];
    const float *embedding = embeddings + i * kEmbedding;
    sum += (box.z - box.x) * (box.w - box.y) * (1 + classes[i]);
    sum += *std::max_element(embedding, embedding + kEmbedding);
  }
  return sum;
}

/// The outputs in pinned memory.
struct Slot {
  PinnedArray<float4> boxes{kAnchors};
  PinnedArray<float> scores{kAnchors};
  PinnedArray<int> classes{kAnchors};
  PinnedArray<float> embeddings{kAnchors * kEmbedding};
  Event arrived;

  double selected() const {
    CUDA_CHECK(cudaEventSynchronize(arrived));
    return select(boxes, scores, classes, embeddings);
  }
};

template <typename T> void fetch(T *to, const T *from, int count) {
  CUDA_CHECK(
      cudaMemcpyAsync(to, from, count * sizeof(T), cudaMemcpyDeviceToHost));
}

} // namespace

Outcome detector_outputs(bool before, int steps) {
  DeviceArray<float> features(uniform_values(kAnchors * kChannels, 1));
  DeviceArray<float> class_weights(uniform_values(kChannels * kClasses, 2));
  DeviceArray<float> box_weights(uniform_values(kChannels * kEmbedding, 3));
  DeviceArray<float4> boxes(kAnchors);
  DeviceArray<float> scores(kAnchors), embeddings(kAnchors * kEmbedding);
  DeviceArray<int> classes(kAnchors);
  std::vector<float4> read_boxes(kAnchors);
  std::vector<float> read_scores(kAnchors);
  std::vector<float> read_embeddings(kAnchors * kEmbedding);
  std::vector<int> read_classes(kAnchors);
  Slot slots[2];
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    classify<<<kAnchors, 128>>>(features, class_weights, scores, classes, step);
    regress<<<kAnchors, kEmbedding>>>(features, box_weights, boxes, embeddings,
                                      step);
    if (before) {
      CUDA_CHECK(cudaMemcpy(read_boxes.data(), boxes, kAnchors * sizeof(float4),
                            cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(read_scores.data(), scores,
                            kAnchors * sizeof(float), cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(read_classes.data(), classes,
                            kAnchors * sizeof(int), cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaMemcpy(read_embeddings.data(), embeddings,
                            kAnchors * kEmbedding * sizeof(float),
                            cudaMemcpyDeviceToHost));
      sum += select(read_boxes.data(), read_scores.data(), read_classes.data(),
                    read_embeddings.data());
    } else {
      Slot &slot = slots[step % 2];
      fetch<float4>(slot.boxes, boxes, kAnchors);
      fetch<float>(slot.scores, scores, kAnchors);
      fetch<int>(slot.classes, classes, kAnchors);
      fetch<float>(slot.embeddings, embeddings, kAnchors * kEmbedding);
      CUDA_CHECK(cudaEventRecord(slot.arrived));
      if (step > 0)
        sum += slots[(step - 1) % 2].selected();
    }
  }
  if (!before)
    sum += slots[(clock.count() - 1) % 2].selected();
  return {clock.step_ns(), sum / clock.count()};
}

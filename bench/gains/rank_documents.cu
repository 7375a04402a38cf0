// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scores all documents for a query on the GPU, and ranks the best on the host.
// Before: scores are copied, and the GPU is idle while the host ranks. After:
// the next query is scored meanwhile.
#include "gains.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace {

constexpr int kDocuments = 8192;
constexpr int kQueries = 64;
constexpr int kTokens = 32;        // Per query.
constexpr int kDocumentTokens = 8; // Per document.
constexpr int kWidth = 128;
constexpr int kBest = 200;
constexpr int kQuery = kTokens * kWidth;

// One block per document: the sum, over the query's tokens, of the greatest
// similarity to a token of the document.
__global__ void score(const float *documents, const float *query,
                      float *scores) {
  __shared__ float tokens[kDocumentTokens * kWidth];
  __shared__ float similar[kDocumentTokens][kTokens];
  const float *document = documents + blockIdx.x * kDocumentTokens * kWidth;
  for (int i = threadIdx.x; i < kDocumentTokens * kWidth; i += blockDim.x)
    tokens[i] = document[i];
  __syncthreads();
  int mine = threadIdx.x % kTokens, other = threadIdx.x / kTokens;
  float sum = 0.0F;
  for (int i = 0; i < kWidth; ++i)
    sum += query[i * kTokens + mine] * tokens[other * kWidth + i];
  similar[other][mine] = sum;
  __syncthreads();
  if (threadIdx.x >= kTokens)
    return;
  float best = similar[0][threadIdx.x];
  for (int i = 1; i < kDocumentTokens; ++i)
    best = fmaxf(best, similar[i][threadIdx.x]);
  for (int distance = 16; distance > 0; distance /= 2)
    best += __shfl_down_sync(0xffffffffU, best, distance);
  if (threadIdx.x == 0)
    scores[blockIdx.x] = best;
}

/// Returns the entropy of the best documents, weighted by their numbers.
double rank(const float *scores, std::vector<int> &order) {
  std::iota(order.begin(), order.end(), 0);
  std::partial_sort(order.begin(), order.begin() + kBest, order.end(),
                    [scores](int a, int b) {
                      return scores[a] > scores[b] ||
                             (scores[a] == scores[b] && a < b);
                    });
  double total = 0.0, entropy = 0.0;
  for (int i = 0; i < kDocuments; ++i)
    total += std::exp((scores[i] - scores[order[0]]) / 16);
  for (int i = 0; i < kBest; ++i) {
    double share = std::exp((scores[order[i]] - scores[order[0]]) / 16) / total;
    entropy -= share * std::log(share) * (1 + order[i] % 10);
  }
  return entropy;
}

} // namespace

Outcome rank_documents(bool before, int steps) {
  DeviceArray<float> documents(
      uniform_values(kDocuments * kDocumentTokens * kWidth, 1));
  DeviceArray<float> queries(uniform_values(kQueries * kQuery, 2));
  DeviceArray<float> scores(kDocuments);
  std::vector<float> read(kDocuments);
  PinnedArray<float> slots[2] = {PinnedArray<float>(kDocuments),
                                 PinnedArray<float>(kDocuments)};
  Event arrived[2];
  std::vector<int> order(kDocuments);
  double sum = 0.0;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    score<<<kDocuments, kDocumentTokens * kTokens>>>(
        documents, queries + step % kQueries * kQuery, scores);
    if (before) {
      CUDA_CHECK(cudaMemcpy(read.data(), scores, kDocuments * sizeof(float),
                            cudaMemcpyDeviceToHost));
      sum += rank(read.data(), order);
    } else {
      int now = step % 2, last = 1 - now;
      CUDA_CHECK(cudaMemcpyAsync(slots[now], scores, kDocuments * sizeof(float),
                                 cudaMemcpyDeviceToHost));
      CUDA_CHECK(cudaEventRecord(arrived[now]));
      if (step > 0) {
        CUDA_CHECK(cudaEventSynchronize(arrived[last]));
        sum += rank(slots[last], order);
      }
    }
  }
  if (!before) {
    int last = (clock.count() - 1) % 2;
    CUDA_CHECK(cudaEventSynchronize(arrived[last]));
    sum += rank(slots[last], order);
  }
  return {clock.step_ns(), sum};
}

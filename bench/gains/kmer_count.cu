// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts the words of 11 bases in a genome, chunk by chunk. Before: a chunk is
// read from the file to ordinary memory, and uploaded from there. After: it is
// read to one of two pinned buffers, while the other one is uploaded.
#include "gains.h"

#include <cstring>

namespace {

constexpr int kBases = 8 << 20; // In a chunk.
constexpr int kWord = 11;
constexpr int kWords = 1 << (2 * kWord);
constexpr int kParts = 1024; // Of the file at which a chunk can begin.

// A word and its reverse complement, which is the same place on the other
// strand, are counted as one. A, C, T and G are 0, 1, 2 and 3.
__global__ void count_words(const char *bases, unsigned *counts) {
  int first = blockIdx.x * blockDim.x + threadIdx.x;
  if (first > kBases - kWord)
    return;
  unsigned word = 0, complement = 0;
  for (int i = 0; i < kWord; ++i) {
    unsigned base = bases[first + i] >> 1 & 3;
    word = word << 2 | base;
    complement = complement >> 2 | (base ^ 2) << (2 * kWord - 2);
  }
  atomicAdd(&counts[min(word, complement)], 1U);
}

/// Stands for a file in the page cache.
class File {
public:
  File() : bases_(kBases + kParts * kWord) {
    for (std::size_t i = 0; i < bases_.size(); ++i)
      bases_[i] = "ACGT"[scramble(static_cast<unsigned>(i)) % 4];
  }

  void read(int chunk, char *to) const {
    std::memcpy(to, bases_.data() + chunk % kParts * kWord, kBases);
  }

private:
  std::vector<char> bases_;
};

/// A chunk that is being read or uploaded.
struct Buffer {
  PinnedArray<char> bases{kBases};
  DeviceArray<char> bases_on_gpu{kBases};
  Event uploaded;
};

} // namespace

Outcome kmer_count(bool before, int steps) {
  File file;
  DeviceArray<unsigned> counts(kWords);
  std::vector<char> chunk(kBases);
  Buffer buffers[2];
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    Buffer &buffer = buffers[step % 2];
    if (before) {
      file.read(step, chunk.data());
      CUDA_CHECK(cudaMemcpy(buffer.bases_on_gpu, chunk.data(), kBases,
                            cudaMemcpyHostToDevice));
    } else {
      CUDA_CHECK(cudaEventSynchronize(buffer.uploaded));
      file.read(step, buffer.bases);
      CUDA_CHECK(cudaMemcpyAsync(buffer.bases_on_gpu, buffer.bases, kBases,
                                 cudaMemcpyHostToDevice));
      CUDA_CHECK(cudaEventRecord(buffer.uploaded));
    }
    count_words<<<kBases / 256, 256>>>(buffer.bases_on_gpu, counts);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<unsigned> read(kWords);
  CUDA_CHECK(cudaMemcpy(read.data(), counts, kWords * sizeof(unsigned),
                        cudaMemcpyDeviceToHost));
  for (int word = 0; word < kWords; ++word)
    sum += static_cast<double>(read[word]) * (1 + word % 13);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / clock.count()};
}

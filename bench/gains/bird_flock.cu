// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A flock of birds that follow their neighbors, which are found by sorting the
// birds by cell. Before: Thrust allocates the memory to sort in each step, and
// waits. After: the same algorithm gets memory that is kept, and need not wait.
#include "gains.h"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>

namespace {

constexpr int kBirds = 1 << 17;
constexpr int kSide =
    32; // Cells; those who leave on a side enter on the other.
constexpr int kCells = kSide * kSide * kSide;
constexpr int kMost = 16; // Neighbors per cell that a bird looks at.

struct Bird {
  float3 place, speed;
};

/// Memory for Thrust that is allocated once, and again only if it needs more.
class KeptMemory {
public:
  using value_type = char;

  KeptMemory() = default;
  KeptMemory(const KeptMemory &) = delete;
  KeptMemory &operator=(const KeptMemory &) = delete;
  ~KeptMemory() { cudaFree(bytes_); }

  char *allocate(std::ptrdiff_t count) {
    if (used_)
      failed("allocate", __FILE__, __LINE__, "the memory is in use");
    if (count > size_) {
      CUDA_CHECK(cudaFree(bytes_));
      CUDA_CHECK(cudaMalloc(&bytes_, count));
      size_ = count;
    }
    used_ = true;
    return bytes_;
  }
  void deallocate(char *, std::size_t) { used_ = false; }

private:
  char *bytes_ = nullptr;
  std::ptrdiff_t size_ = 0;
  bool used_ = false;
};

__device__ int cell_at(int x, int y, int z) {
  constexpr int kMask = kSide - 1;
  return ((z & kMask) * kSide + (y & kMask)) * kSide + (x & kMask);
}

__device__ int cell_of(float3 place) {
  return cell_at(static_cast<int>(place.x), static_cast<int>(place.y),
                 static_cast<int>(place.z));
}

__global__ void assign_cells(const Bird *birds, int *cells, int *order) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  cells[i] = cell_of(birds[i].place);
  order[i] = i;
}

// Also copies the birds in the order of cells.
__global__ void find_cells(const Bird *birds, const int *cells,
                           const int *order, Bird *sorted, int *first,
                           int *last) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sorted[i] = birds[order[i]];
  if (i == 0 || cells[i - 1] != cells[i])
    first[cells[i]] = i;
  if (i == kBirds - 1 || cells[i + 1] != cells[i])
    last[cells[i]] = i + 1;
}

__device__ float around(float place) {
  return place - kSide * floorf(place / kSide);
}

__global__ void fly(const Bird *sorted, const int *first, const int *last,
                    Bird *birds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Bird bird = sorted[i];
  float3 mean = {}, away = {};
  int count = 0;
  for (int near = 0; near < 27; ++near) {
    int cell = cell_at(static_cast<int>(bird.place.x) + near % 3 - 1,
                       static_cast<int>(bird.place.y) + near / 3 % 3 - 1,
                       static_cast<int>(bird.place.z) + near / 9 - 1);
    int end = min(last[cell], first[cell] + kMost);
    for (int j = first[cell]; j < end; ++j) {
      Bird other = sorted[j];
      float3 d = {bird.place.x - other.place.x, bird.place.y - other.place.y,
                  bird.place.z - other.place.z};
      float square = d.x * d.x + d.y * d.y + d.z * d.z;
      if (square > 1.0F) // Also across the border.
        continue;
      float push = 0.02F / (square + 0.02F);
      away = {away.x + push * d.x, away.y + push * d.y, away.z + push * d.z};
      mean = {mean.x + other.speed.x, mean.y + other.speed.y,
              mean.z + other.speed.z};
      ++count;
    }
  }
  float share = count > 0 ? 0.1F / count : 0.0F, rest = count > 0 ? 0.9F : 1.0F;
  float3 v = {rest * bird.speed.x + share * mean.x + away.x,
              rest * bird.speed.y + share * mean.y + away.y,
              rest * bird.speed.z + share * mean.z + away.z};
  float scale = 0.1F * rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z + 1e-12F);
  bird.speed = {scale * v.x, scale * v.y, scale * v.z};
  bird.place = {around(bird.place.x + bird.speed.x),
                around(bird.place.y + bird.speed.y),
                around(bird.place.z + bird.speed.z)};
  birds[i] = bird;
}

} // namespace

Outcome bird_flock(bool before, int steps) {
  std::vector<float> values = uniform_values(6 * kBirds, 9);
  std::vector<Bird> start(kBirds);
  for (int i = 0; i < kBirds; ++i) {
    const float *v = &values[6 * i];
    start[i] = {{kSide * v[0], kSide * v[1], kSide * v[2]},
                {v[3] - 0.5F, v[4] - 0.5F, v[5] - 0.5F}};
  }
  DeviceArray<Bird> birds(start), sorted(kBirds);
  DeviceArray<int> cells(kBirds), order(kBirds), first(kCells), last(kCells);
  int *keys = cells, *end = keys + kBirds, *numbers = order;
  KeptMemory memory;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    assign_cells<<<kBirds / 256, 256>>>(birds, cells, order);
    if (before)
      thrust::sort_by_key(thrust::device, keys, end, numbers);
    else
      thrust::sort_by_key(thrust::cuda::par_nosync(memory), keys, end, numbers);
    CUDA_CHECK(cudaMemsetAsync(first, 0, kCells * sizeof(int)));
    CUDA_CHECK(cudaMemsetAsync(last, 0, kCells * sizeof(int)));
    find_cells<<<kBirds / 256, 256>>>(birds, cells, order, sorted, first, last);
    fly<<<kBirds / 256, 256>>>(sorted, first, last, birds);
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  CUDA_CHECK(cudaMemcpy(start.data(), birds, kBirds * sizeof(Bird),
                        cudaMemcpyDeviceToHost));
  for (int i = 0; i < kBirds; ++i)
    sum += start[i].place.x * static_cast<float>(1 + i % 7);
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, sum / kBirds};
}

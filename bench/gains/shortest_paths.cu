// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shortest paths through terrain, relaxed until no distance changes. Before:
// the flag that tells so is read in each iteration. After: in every twentieth.
#include "gains.h"

#include <utility>

namespace {

constexpr int kSide = 2048; // Needs thousands of iterations.
constexpr int kCells = kSide * kSide;
constexpr int kInterval = 20;
constexpr int kFar = 1 << 28;

__global__ void start(int *distances) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  distances[i] = i == 0 ? 0 : kFar;
}

__global__ void relax(const int *from, int *to, const unsigned char *costs,
                      int *changed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = i % kSide, y = i / kSide;
  int nearest = kFar;
  if (x > 0)
    nearest = min(nearest, from[i - 1]);
  if (x + 1 < kSide)
    nearest = min(nearest, from[i + 1]);
  if (y > 0)
    nearest = min(nearest, from[i - kSide]);
  if (y + 1 < kSide)
    nearest = min(nearest, from[i + kSide]);
  int distance = min(from[i], nearest + costs[i]);
  to[i] = distance;
  if (distance != from[i])
    *changed = 1;
}

} // namespace

Outcome shortest_paths(bool before, int steps) {
  std::vector<unsigned char> terrain(kCells);
  for (int i = 0; i < kCells; ++i)
    terrain[i] = 1 + scramble(i) % 9;
  DeviceArray<unsigned char> costs(terrain);
  DeviceArray<int> first(kCells), second(kCells), changed(1);
  int *from = first, *to = second;
  start<<<kCells / 256, 256>>>(from);
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    bool check = before || step % kInterval == kInterval - 1;
    if (check)
      CUDA_CHECK(cudaMemsetAsync(changed, 0, sizeof(int)));
    relax<<<kCells / 256, 256>>>(from, to, costs, changed);
    std::swap(from, to);
    if (!check)
      continue;
    int flag = 0;
    CUDA_CHECK(
        cudaMemcpy(&flag, changed, sizeof(flag), cudaMemcpyDeviceToHost));
    if (flag == 0)
      break;
  }
  double step_ns = clock.step_ns(), sum = 0.0;
  std::vector<int> distances(kCells);
  CUDA_CHECK(cudaMemcpy(distances.data(), from, kCells * sizeof(int),
                        cudaMemcpyDeviceToHost));
  for (int distance : distances)
    sum += distance == kFar ? 0 : distance;
  return {step_ns, sum / kCells};
}

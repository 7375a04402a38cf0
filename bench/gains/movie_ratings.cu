// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Learns the tastes of users and the properties of movies from ratings. Before:
// the loss of each batch is read for a line of the log. After: the losses of 50
// batches are read at once.
#include "gains.h"

#include <string>

namespace {

constexpr int kUsers = 8192, kMovies = 4096;
constexpr int kFactors = 32;      // One per lane of a warp.
constexpr int kRatings = 1 << 16; // In a batch.
constexpr int kInterval = 50;
constexpr float kRate = 0.004F, kDecay = 0.02F;

__device__ float rating_of(int user, int movie) {
  return 3.0F + 1.5F * __sinf(0.01F * user) * __cosf(0.02F * movie);
}

// A warp per rating.
__global__ void add_gradients(const float *users, const float *movies,
                              unsigned batch, float *user_gradients,
                              float *movie_gradients, double *loss) {
  int rating = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  unsigned counter = 2 * (batch * kRatings + rating);
  int user = static_cast<int>(scramble(counter) % kUsers);
  int movie = static_cast<int>(scramble(counter + 1) % kMovies);
  float mine = users[user * kFactors + lane];
  float theirs = movies[movie * kFactors + lane];
  float guess = mine * theirs;
  for (int other = 16; other > 0; other /= 2)
    guess += __shfl_xor_sync(0xffffffffU, guess, other);
  float error = rating_of(user, movie) - guess;
  atomicAdd(&user_gradients[user * kFactors + lane],
            error * theirs - kDecay * mine);
  atomicAdd(&movie_gradients[movie * kFactors + lane],
            error * mine - kDecay * theirs);
  float square = block_sum(lane == 0 ? error * error : 0.0F);
  if (threadIdx.x == 0)
    atomicAdd(loss, static_cast<double>(square));
}

// Also clears the gradients for the next batch.
__global__ void update(float *factors, float *gradients) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  factors[i] += kRate * gradients[i];
  gradients[i] = 0.0F;
}

std::vector<float> start(int count, unsigned seed) {
  std::vector<float> factors = uniform_values(count * kFactors, seed);
  for (float &factor : factors)
    factor *= 0.5F;
  return factors;
}

/// Writes the losses of steps that are over to a log.
class Log {
public:
  void add(int step, double loss) {
    char line[64];
    std::snprintf(line, sizeof(line), "step %d loss %.5f\n", step,
                  loss / kRatings);
    log_ += line;
    sum_ += loss / kRatings;
  }

  double sum() const { return sum_; }

private:
  std::string log_;
  double sum_ = 0.0;
};

} // namespace

Outcome movie_ratings(bool before, int steps) {
  DeviceArray<float> users(start(kUsers, 1)), movies(start(kMovies, 700000));
  DeviceArray<float> user_gradients(kUsers * kFactors);
  DeviceArray<float> movie_gradients(kMovies * kFactors);
  DeviceArray<double> losses(kInterval);
  double read[kInterval];
  Log log;
  StepClock clock(steps, nullptr);
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    int slot = before ? 0 : step % kInterval;
    CUDA_CHECK(cudaMemsetAsync(losses + slot, 0, sizeof(double)));
    add_gradients<<<kRatings / 8, 256>>>(users, movies, step, user_gradients,
                                         movie_gradients, losses + slot);
    update<<<kUsers * kFactors / 256, 256>>>(users, user_gradients);
    update<<<kMovies * kFactors / 256, 256>>>(movies, movie_gradients);
    if (!before && slot != kInterval - 1 && step != clock.count() - 1)
      continue;
    CUDA_CHECK(cudaMemcpy(read, losses, (slot + 1) * sizeof(double),
                          cudaMemcpyDeviceToHost));
    for (int i = 0; i <= slot; ++i)
      log.add(step - slot + i, read[i]);
  }
  double step_ns = clock.step_ns();
  CUDA_CHECK(cudaGetLastError());
  return {step_ns, log.sum() / clock.count()};
}

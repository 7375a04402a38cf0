// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the programs: their list, memory that is set up before the loop,
// and pseudo-random numbers.
#ifndef GAINS_GAINS_H
#define GAINS_GAINS_H

#include "../predictions/case.h"

#include <vector>

/// What a program returns: the time of a step, and a number computed by its
/// work, by which the two forms are compared.
struct Outcome {
  double step_ns;
  double result;
};

/// A program that runs about `steps` steps, as written first (`before`) or as
/// changed by an expert.
using Program = Outcome (*)(bool before, int steps);

#define GAINS_PROGRAMS(X)                                                      \
  X(training_metrics)                                                          \
  X(detector_outputs)                                                          \
  X(wave_snapshots)                                                            \
  X(merge_sort)                                                                \
  X(image_sharpen)                                                             \
  X(shortest_paths)                                                            \
  X(neighbor_list)                                                             \
  X(clean_peaks)                                                               \
  X(video_edges)                                                               \
  X(reaction_checks)                                                           \
  X(option_pricing)                                                            \
  X(batch_prefetch)                                                            \
  X(sequence_align)                                                            \
  X(power_iteration)                                                           \
  X(rank_documents)                                                            \
  X(ray_march)                                                                 \
  X(ising_phases)                                                              \
  X(shallow_water)                                                             \
  X(pressure_solve)                                                            \
  X(particle_filter)                                                           \
  X(group_rows)                                                                \
  X(beam_forming)                                                              \
  X(contour_lines)                                                             \
  X(back_projection)                                                           \
  X(compress_tiles)                                                            \
  X(nbody_energy)                                                              \
  X(speech_decode)                                                             \
  X(membrane_relax)                                                            \
  X(vibration_mode)                                                            \
  X(kmer_count)                                                                \
  X(hash_search)                                                               \
  X(plasma_waves)                                                              \
  X(laser_heating)                                                             \
  X(path_trace)                                                                \
  X(join_tables)                                                               \
  X(radar_doppler)                                                             \
  X(microscope_stack)                                                          \
  X(optimal_transport)                                                         \
  X(bird_flock)                                                                \
  X(drone_control)                                                             \
  X(spiking_network)                                                           \
  X(movie_ratings)                                                             \
  X(speech_denoise)                                                            \
  X(vortex_sheet)                                                              \
  X(lattice_fluid)                                                             \
  X(stereo_depth)                                                              \
  X(ground_water)                                                              \
  X(photon_transport)                                                          \
  X(run_lengths)                                                               \
  X(seismic_waves)                                                             \
  X(palette_video)                                                             \
  X(robot_arm)                                                                 \
  X(drug_docking)

#define GAINS_DECLARE(name) Outcome name(bool before, int steps);
GAINS_PROGRAMS(GAINS_DECLARE)
#undef GAINS_DECLARE

/// An array on the GPU that lives as long as its program's loop.
template <typename T> class DeviceArray {
public:
  /// All bytes are 0. Waits, because streams of the program need not wait for
  /// the default stream.
  explicit DeviceArray(std::size_t count) {
    CUDA_CHECK(cudaMalloc(&values_, count * sizeof(T)));
    CUDA_CHECK(cudaMemset(values_, 0, count * sizeof(T)));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  explicit DeviceArray(const std::vector<T> &values)
      : DeviceArray(values.size()) {
    CUDA_CHECK(cudaMemcpy(values_, values.data(), values.size() * sizeof(T),
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaDeviceSynchronize());
  }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;
  ~DeviceArray() { cudaFree(values_); }

  operator T *() const { return values_; }

private:
  T *values_ = nullptr;
};

/// An array in pinned memory of the host.
template <typename T> class PinnedArray {
public:
  explicit PinnedArray(std::size_t count) {
    CUDA_CHECK(cudaMallocHost(&values_, count * sizeof(T)));
    for (std::size_t i = 0; i < count; ++i)
      values_[i] = T();
  }
  PinnedArray(const PinnedArray &) = delete;
  PinnedArray &operator=(const PinnedArray &) = delete;
  ~PinnedArray() { cudaFreeHost(values_); }

  operator T *() const { return values_; }

private:
  T *values_ = nullptr;
};

/// An event without a time.
class Event {
public:
  Event() {
    CUDA_CHECK(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  ~Event() { cudaEventDestroy(event_); }

  operator cudaEvent_t() const { return event_; }

private:
  cudaEvent_t event_ = nullptr;
};

/// A stream that does not wait for the default stream.
class Stream {
public:
  Stream() {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
  }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }

  operator cudaStream_t() const { return stream_; }

private:
  cudaStream_t stream_ = nullptr;
};

inline int blocks_for(int count, int block) {
  return (count + block - 1) / block;
}

/// Scrambles the bits of a counter, so that each step has other numbers without
/// a generator's state.
__host__ __device__ inline unsigned scramble(unsigned counter) {
  counter = (counter ^ (counter >> 15)) * 0x9E3779B1U;
  counter = (counter ^ (counter >> 13)) * 0xC2B2AE35U;
  return counter ^ (counter >> 16);
}

/// A number from 0 to 1.
__host__ __device__ inline float uniform(unsigned counter) {
  return static_cast<float>(scramble(counter) >> 8) * (1.0F / (1 << 24));
}

inline std::vector<float> uniform_values(int count, unsigned seed) {
  std::vector<float> values(count);
  for (int i = 0; i < count; ++i)
    values[i] = uniform(seed + i);
  return values;
}

/// The sum over all threads of a block of 256 threads; thread 0 gets it.
template <typename T> __device__ T block_sum(T mine) {
  __shared__ T of_warps[8];
  for (int lane = 16; lane > 0; lane /= 2)
    mine += __shfl_down_sync(0xffffffffU, mine, lane);
  if (threadIdx.x % 32 == 0)
    of_warps[threadIdx.x / 32] = mine;
  __syncthreads();
  T sum = 0;
  if (threadIdx.x == 0)
    for (T part : of_warps)
      sum += part;
  __syncthreads();
  return sum;
}

#endif // GAINS_GAINS_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shared by the cases: how errors end the program, how steps are timed, and the
// list of cases.
#ifndef PREDICTIONS_CASE_H
#define PREDICTIONS_CASE_H

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

#define CUDA_CHECK(call)                                                       \
  do {                                                                         \
    cudaError_t check_status = (call);                                         \
    if (check_status != cudaSuccess)                                           \
      failed(#call, __FILE__, __LINE__, cudaGetErrorString(check_status));     \
  } while (0)

#define CUBLAS_CHECK(call)                                                     \
  do {                                                                         \
    cublasStatus_t check_status = (call);                                      \
    if (check_status != CUBLAS_STATUS_SUCCESS)                                 \
      failed(#call, __FILE__, __LINE__, cublasGetStatusString(check_status));  \
  } while (0)

[[noreturn]] inline void failed(const char *call, const char *file, int line,
                                const char *reason) {
  std::fprintf(stderr, "%s:%d: %s failed: %s\n", file, line, call, reason);
  std::exit(1);
}

/// Nanoseconds per step, from the host's clock: the mean over all steps after
/// the warm-up, between two moments at which `stream` is idle.
class StepClock {
public:
  /// Times `steps` steps. The warm-up comes before them and is slightly shorter
  /// than the tenth of all steps that autoprof leaves out, so that the
  /// synchronization between the two is among the steps left out.
  StepClock(int steps, cudaStream_t stream)
      : steps_(steps), warm_up_(steps / 10), stream_(stream) {}

  /// Total number of steps to run.
  int count() const { return warm_up_ + steps_; }

  /// To be called at the beginning of each step.
  void begin(int step) {
    if (step != warm_up_)
      return;
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    start_ = Clock::now();
  }

  /// To be called after the last step.
  double step_ns() const {
    CUDA_CHECK(cudaStreamSynchronize(stream_));
    return std::chrono::duration<double, std::nano>(Clock::now() - start_)
               .count() /
           steps_;
  }

private:
  using Clock = std::chrono::steady_clock;

  int steps_;
  int warm_up_;
  cudaStream_t stream_;
  Clock::time_point start_;
};

/// One synchronization and its replacement. `before` selects the form with the
/// synchronization; the work is the same. Returns StepClock::step_ns.
using Case = double (*)(bool before, int steps);

double residual_late(bool before, int steps);
double residual_tenth(bool before, int steps);
double device_sync(bool before, int steps);
double step_timing(bool before, int steps);
double free_async(bool before, int steps);
double scratch_reuse(bool before, int steps);
double thrust_sum(bool before, int steps);
double blas_norm(bool before, int steps);
double pageable_upload(bool before, int steps);
double hand_over(bool before, int steps);
double side_work(bool before, int steps);
double busy_behind(bool before, int steps);
double two_threads(bool before, int steps);
double graph_10(bool before, int steps);
double graph_50(bool before, int steps);
double graph_200(bool before, int steps);
double launches_50(bool before, int steps);
double launches_300(bool before, int steps);
double upload_1m_async(bool before, int steps);
double upload_7m_async(bool before, int steps);
double upload_32m_async(bool before, int steps);
double upload_7m_pinned(bool before, int steps);
double upload_32m_pinned(bool before, int steps);
double download_8m_pinned(bool before, int steps);
double two_reads_10(bool before, int steps);
double two_reads_50(bool before, int steps);
double read_sync_10(bool before, int steps);
double read_sync_50(bool before, int steps);

#endif // PREDICTIONS_CASE_H

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of many short kernels, launched one by one or as a CUDA graph. Before:
// the loop reads a result in each step. After: it reads none.
#include "grid.h"

namespace {

constexpr int kBlocks = 32; // Of 132 or more multiprocessors.

/// One step's work on one stream: `kernels` kernels of about 2.5 us each.
class Work {
public:
  Work(int kernels, bool as_graph) : kernels_(kernels) {
    CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    oscillators_ = make_oscillators(kBlocks);
    if (!as_graph)
      return;
    cudaGraph_t graph = nullptr;
    CUDA_CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    launch_kernels();
    CUDA_CHECK(cudaStreamEndCapture(stream_, &graph));
    CUDA_CHECK(cudaGraphInstantiate(&graph_, graph, 0));
    CUDA_CHECK(cudaGraphDestroy(graph));
  }
  Work(const Work &) = delete;
  Work &operator=(const Work &) = delete;
  ~Work() {
    if (graph_)
      cudaGraphExecDestroy(graph_);
    cudaFree(oscillators_);
    cudaStreamDestroy(stream_);
  }

  void launch() {
    if (graph_)
      CUDA_CHECK(cudaGraphLaunch(graph_, stream_));
    else
      launch_kernels();
  }

  cudaStream_t stream() const { return stream_; }
  const float2 *result() const { return oscillators_; }

private:
  void launch_kernels() {
    for (int i = 0; i < kernels_; ++i)
      integrate(oscillators_, kBlocks, 400, stream_);
  }

  int kernels_;
  cudaStream_t stream_ = nullptr;
  float2 *oscillators_ = nullptr;
  cudaGraphExec_t graph_ = nullptr;
};

double read_each_step(Work &work, bool before, int steps) {
  StepClock clock(steps, work.stream());
  for (int step = 0; step < clock.count(); ++step) {
    clock.begin(step);
    work.launch();
    if (!before)
      continue;
    float2 value;
    CUDA_CHECK(cudaMemcpyAsync(&value, work.result(), sizeof(value),
                               cudaMemcpyDeviceToHost, work.stream()));
    CUDA_CHECK(cudaStreamSynchronize(work.stream()));
  }
  return clock.step_ns();
}

double of_kernels(int kernels, bool as_graph, bool before, int steps) {
  Work work(kernels, as_graph);
  return read_each_step(work, before, steps);
}

} // namespace

double graph_10(bool before, int steps) {
  return of_kernels(10, true, before, steps);
}

double graph_50(bool before, int steps) {
  return of_kernels(50, true, before, steps);
}

double graph_200(bool before, int steps) {
  return of_kernels(200, true, before, steps);
}

double launches_50(bool before, int steps) {
  return of_kernels(50, false, before, steps);
}

double launches_300(bool before, int steps) {
  return of_kernels(300, false, before, steps);
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A small model of CPU threads that drive GPUs: calls advance the thread's
// clock, streams are queues, and waits happen by CUDA's rules. What it writes
// into a timeline is what a recorder would have seen; what it knows besides
// (how long each call really waited, when the run would end without a wait) is
// what the analysis must find out. Tests state a schedule with it.
#pragma once

#include "trace/timeline/TimelineBuilder.h"

#include <deque>

namespace autoprof::test {

/// ns.
struct Costs {
  int64_t Launch = 2'500;   ///< Inside a launching call.
  int64_t Latency = 4'000;  ///< From the start of a launching call to the GPU.
  int64_t Pause = 1'000;    ///< Between two queued operations of a stream.
  int64_t Copy = 2'000;     ///< On the GPU, a small copy.
  int64_t Return = 3'000;   ///< From the end of what was waited for to return.
  size_t QueueLimit = 1024; ///< Operations queued before a launch blocks.
};

class Simulator {
public:
  explicit Simulator(Costs C = {});

  trace::TimelineBuilder B;
  Costs C;
  int64_t Now = 0;      ///< The clock of the host thread that runs.
  int64_t TrueWait = 0; ///< ns, of all waiting calls so far.
  std::string Dropped;  ///< Calls of this name do not wait, nor read back.

  /// The thread that runs from now on; thread 0 is there from the beginning.
  /// Calls must be made in order of time: always on the thread whose clock is
  /// the earliest.
  void runThread(uint32_t Thread);
  /// Its clock begins where that of thread 0 is, and it uses `Device`.
  uint32_t addThread(uint32_t Device = 0);
  int64_t clockOf(uint32_t Thread) const;

  /// A stream of context 1. Device 0 unless said otherwise.
  uint32_t stream(uint32_t Id, trace::StreamFlag Flag, uint32_t Device = 0);
  uint32_t site(uint64_t Id, llvm::StringRef Kind, uint32_t Line,
                llvm::StringRef Callee, llvm::StringRef File = "src/train.cu",
                llvm::StringRef Function = "train");

  void work(int64_t Ns) { Now += Ns; } ///< Host time outside calls.
  void launch(uint32_t Stream, int64_t Ns, llvm::StringRef Kernel = "kernel");
  /// When a kernel that is launched now starts.
  int64_t nextStart(uint32_t Stream) const;
  /// cudaGraphLaunch, recorded as one operation, or as so many kernels.
  void launchGraph(uint32_t Stream, int64_t Ns, unsigned Nodes = 0);
  /// cudaMemcpy, device to pageable host memory.
  void readBack(uint32_t Stream, int64_t CopyNs = 0);
  /// cudaMemcpyAsync, device to pinned host memory.
  void readBackAsync(uint32_t Stream);
  /// cudaMemcpy or cudaMemcpyAsync between the device and memory of the host.
  /// The driver copies pageable memory by the CPU, in pieces, and the call
  /// waits for earlier work.
  void transfer(uint32_t Stream, trace::Direction Dir, uint64_t Bytes,
                trace::MemoryKind Memory, bool Async = false);
  /// What a copy of pinned memory takes on the GPU, ns.
  static int64_t pinnedTime(uint64_t Bytes) {
    return 1'200 + int64_t(double(Bytes) / 55.3);
  }
  /// Waits for the thread's device: the one that it last gave work.
  void synchronizeDevice(llvm::StringRef Call = "cudaDeviceSynchronize");
  /// Waits for one stream, with CUPTI's record of it.
  void synchronizeStream(uint32_t Stream);
  /// Waits for the work queued on one stream up to `Mark`; no record.
  void synchronizeEvent(int64_t Mark);
  int64_t mark(uint32_t Stream) const; ///< When its work will be done.
  /// A call that does nothing for the GPU.
  void call(llvm::StringRef Name, int64_t Ns);

  /// Calls between these belong to a site; ranges likewise.
  void enter(trace::HostKind Kind, uint32_t Site);
  void leave();

  /// The host's clock or the last GPU work, whichever is later.
  int64_t end() const;
  trace::Timeline finish(llvm::StringRef Command = "./train");

private:
  struct Slice {
    trace::HostKind Kind;
    uint32_t Site;
    int64_t Start;
  };
  struct HostThread {
    int64_t Now = 0; ///< While it does not run.
    uint32_t Device = 0;
    std::vector<Slice> Open;
  };
  std::vector<int64_t> LastEnd; ///< Of each stream's work.
  std::deque<int64_t> Queued;   ///< Ends of queued operations.
  std::vector<HostThread> Threads{1};
  uint32_t Running = 0; ///< Into Threads.
  uint64_t NextEvent = 0;

  uint32_t stage(trace::OpKind Kind, llvm::StringRef Name,
                 trace::Direction Dir = trace::Direction::Unknown,
                 trace::MemoryKind Destination = trace::MemoryKind::Unknown);
  int64_t queueOp(uint32_t Stream, int64_t CallStart, int64_t Ns,
                  uint32_t Stage);
  int64_t readyAfter(uint32_t Stream) const;
  int64_t startAfter(uint32_t Stream, int64_t CallStart) const;
  void waitUntil(llvm::StringRef Call, int64_t CallStart, int64_t Done);
  uint64_t host(llvm::StringRef Name, int64_t Start);
};

/// A training loop: `Steps` iterations of `Kernels` launches and then a loss
/// that is printed (cudaMemcpy) or deferred (cudaMemcpyAsync and an event of
/// an earlier step).
struct Training {
  unsigned Steps = 20, Kernels = 20;
  int64_t KernelNs = 50'000;
  bool Print = true;
  int64_t PrintNs = 20'000; ///< Host time for printing.
  /// Each step's work takes up to this share longer, by chance.
  double Jitter = 0;
  uint64_t Seed = 1;
  std::string File = "src/train.cu", Function = "train"; ///< Ids go with them.
  /// Another cudaMemcpy of the function, before its launches: it takes the id
  /// of the printing one.
  bool EarlyRead = false;
  unsigned IdleSteps = 0; ///< Steps at the end that launch nothing.
  std::string Device = "Simulated GPU";
  std::string Constants; ///< trace::Timeline's.
};
trace::Timeline simulateTraining(const Training &P, Costs C = {});
/// When that run ends; with `Print`, also as if the copy did not wait.
int64_t trainingEnd(const Training &P, bool WaitsDropped, Costs C = {});

/// Each of 60 steps creates and destroys a thrust::device_vector, which takes
/// the host 23 and 15 us besides launching and waiting, and launches two
/// kernels. Or the vector is created `Once`, before. If `FreeWaits`, destroying
/// it waits for these kernels, which are longer then, as cudaFree does.
trace::Timeline simulateTemporary(bool Once = false, bool FreeWaits = false);

} // namespace autoprof::test

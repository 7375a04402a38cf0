// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How fast the machine's clocks run while a program does.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace autoprof::cli {

using CpuList = std::vector<unsigned>;
/// That this process, and what it starts, may use.
CpuList allowedCpus();

/// Medians over a run; nullopt: unknown on this machine.
struct ClocksSeen {
  std::optional<int64_t> GpuMHz, CpuMHz;
};

/// NVML, if libnvidia-ml.so.1 is there; reads, and sets nothing.
class Nvml;

/// Samples ten times per second, in another thread.
class Clocks {
public:
  /// `Cpus`: of which to read the clock.
  explicit Clocks(CpuList Cpus);
  ~Clocks();

  void start();
  ClocksSeen stop();
  /// Name of the sampled GPU; "": none.
  std::string gpu() const;

private:
  void watch();

  CpuList Cpus;
  std::unique_ptr<Nvml> Gpu;
  std::thread Watcher;
  std::mutex M;
  std::condition_variable Wake;
  bool Stopping = false;
  std::vector<int64_t> GpuMHz, CpuMHz;
};

} // namespace autoprof::cli

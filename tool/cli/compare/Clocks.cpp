// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Clocks.h"

#include "analysis/common/Statistics.h"

#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <sched.h>

using namespace autoprof::cli;
using llvm::StringRef;

namespace autoprof::cli {

/// Names and numbers are those of nvml.h, which machines without a GPU lack.
class Nvml {
  void *Library = nullptr, *Device = nullptr;

  template <typename Function> Function function(const char *Name) const {
    return reinterpret_cast<Function>(Library ? dlsym(Library, Name) : nullptr);
  }

public:
  Nvml() {
    Library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    auto Init = function<int (*)()>("nvmlInit_v2");
    auto GetDevice =
        function<int (*)(unsigned, void **)>("nvmlDeviceGetHandleByIndex_v2");
    // The first GPU that the program sees, if it is given by number.
    unsigned Index = 0;
    if (const char *Visible = std::getenv("CUDA_VISIBLE_DEVICES"))
      if (StringRef(Visible).split(',').first.getAsInteger(10, Index))
        Index = 0;
    if (!Init || !GetDevice || Init() != 0 || GetDevice(Index, &Device) != 0)
      Device = nullptr;
  }
  // The library stays loaded: others in this process may use it.

  bool isThere() const { return Device; }

  std::string name() const {
    char Text[96] = "";
    auto Get = function<int (*)(void *, char *, unsigned)>("nvmlDeviceGetName");
    return Device && Get && Get(Device, Text, sizeof Text) == 0 ? Text : "";
  }
  std::optional<int64_t> clock() const {
    constexpr int Sm = 1;
    unsigned MHz = 0;
    auto Get =
        function<int (*)(void *, int, unsigned *)>("nvmlDeviceGetClockInfo");
    if (!Device || !Get || Get(Device, Sm, &MHz) != 0)
      return std::nullopt;
    return MHz;
  }
};

} // namespace autoprof::cli

namespace {

/// Of the fastest of these CPUs: the others may be idle.
std::optional<int64_t> cpuClock(const CpuList &Cpus) {
  std::optional<int64_t> Fastest;
  for (unsigned C : Cpus) {
    auto File = llvm::MemoryBuffer::getFileAsStream(
        "/sys/devices/system/cpu/cpu" + std::to_string(C) +
        "/cpufreq/scaling_cur_freq");
    int64_t KHz;
    if (File && !(*File)->getBuffer().trim().getAsInteger(10, KHz))
      Fastest = std::max(Fastest.value_or(0), KHz / 1000);
  }
  return Fastest;
}

std::optional<int64_t> medianOf(const std::vector<int64_t> &Values) {
  if (Values.empty())
    return std::nullopt;
  return autoprof::analysis::median(Values);
}

} // namespace

CpuList autoprof::cli::allowedCpus() {
  cpu_set_t Set;
  CPU_ZERO(&Set);
  CpuList Result;
  if (!sched_getaffinity(0, sizeof Set, &Set))
    for (unsigned C = 0; C < CPU_SETSIZE; ++C)
      if (CPU_ISSET(C, &Set))
        Result.push_back(C);
  return Result;
}

Clocks::Clocks(CpuList Cpus)
    : Cpus(std::move(Cpus)), Gpu(std::make_unique<Nvml>()) {
  if (!cpuClock(this->Cpus))
    this->Cpus.clear();
}

Clocks::~Clocks() {
  if (Watcher.joinable())
    stop();
}

std::string Clocks::gpu() const { return Gpu->name(); }

void Clocks::watch() {
  using namespace std::chrono_literals;
  std::unique_lock<std::mutex> Lock(M);
  while (!Wake.wait_for(Lock, 100ms, [this] { return Stopping; })) {
    if (std::optional<int64_t> MHz = Gpu->clock())
      GpuMHz.push_back(*MHz);
    if (std::optional<int64_t> MHz = cpuClock(Cpus))
      CpuMHz.push_back(*MHz);
  }
}

void Clocks::start() {
  Stopping = false;
  GpuMHz.clear();
  CpuMHz.clear();
  if (Gpu->isThere() || !Cpus.empty())
    Watcher = std::thread([this] { watch(); });
}

ClocksSeen Clocks::stop() {
  {
    std::lock_guard<std::mutex> Lock(M);
    Stopping = true;
  }
  Wake.notify_all();
  if (Watcher.joinable())
    Watcher.join();
  ClocksSeen Seen;
  // The clock rises when the program's work begins: the later half counts.
  const auto Half = GpuMHz.begin() + int64_t(GpuMHz.size() / 2);
  Seen.GpuMHz = medianOf({Half, GpuMHz.end()});
  Seen.CpuMHz = medianOf(CpuMHz);
  return Seen;
}

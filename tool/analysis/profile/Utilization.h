// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the GPU did with its time: at each instant the work that comes first in
// `Work` counts (the order of the PyTorch profiler's TensorBoard plug-in,
// tb_plugin/.../overall_parser.py in pytorch/kineto), so that the parts sum up
// to the time in which any operation ran. The rest is idle time, which Gaps.h
// explains.
#pragma once

#include "analysis/common/Names.h"
#include "analysis/stalls/Idle.h"

#include <array>

namespace autoprof::analysis {

/// In order of precedence.
enum class Work : uint8_t {
  Compute,       ///< Kernels and graphs, but those of communication.
  Copy,          ///< While no such kernel runs.
  Set,           ///< Likewise.
  Communication, ///< Kernels of NCCL and the like, while nothing else runs.
  Other
};
constexpr unsigned NumWorks = unsigned(Work::Other) + 1;

inline llvm::StringRef name(Work W) {
  return nth(W, {"compute", "copy", "set", "communication", "other"});
}
/// The kind of an operation.
Work workOf(const trace::Timeline &T, const trace::Stage &S);

/// Sums over the devices in use; times in ns.
struct Utilization {
  int64_t Time = 0; ///< All of it, as far as it was recorded.
  std::array<int64_t, NumWorks> Parts{}; ///< By Work.
  int64_t Kernels = 0; ///< Time in which at least one kernel ran.
  /// Mean over Time of the part of the multiprocessors that kernels could use
  /// (0..1). Concurrent kernels add up to at most 1. nullopt unless known of
  /// 95 % of the kernels' time.
  std::optional<double> SmEfficiency;

  int64_t busy() const;
  int64_t part(Work W) const { return Parts[unsigned(W)]; }
};

/// The part of the multiprocessors that the blocks of a kernel can use (0..1);
/// nullopt if the trace does not tell, or if it is no kernel.
std::optional<double> smEfficiency(const trace::Stage &S,
                                   const trace::Device &D);

/// Of what lies in `Bounds`: the GPU's window of the steps that count, or the
/// whole run.
Utilization findUtilization(const trace::Timeline &T,
                            const std::vector<DeviceActivity> &Activity,
                            const trace::Window &Bounds);

/// The time of a device in parts of equal length, each with its share (0..1).
struct UtilizationCurve {
  uint32_t Device = 0;         ///< Its id.
  std::vector<double> Kernels; ///< In which at least one kernel ran.
  std::vector<double> Sms; ///< As Utilization::SmEfficiency; empty: unknown.
};

/// One curve for each of Timeline::Devices, in parts of `Width` ns (the last
/// may reach beyond `Bounds`).
std::vector<UtilizationCurve> findUtilizationCurves(const trace::Timeline &T,
                                                    const trace::Window &Bounds,
                                                    int64_t Width);

} // namespace autoprof::analysis

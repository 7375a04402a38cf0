// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Occupancy.h"

#include "analysis/stalls/Idle.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

constexpr uint64_t WarpSize = 32;

struct Limits {
  uint64_t Warps, Blocks, Registers, Shared;
};

/// For traces that name the compute capability only: CUDA C++ Programming
/// Guide, "Technical Specifications per Compute Capability".
std::optional<Limits> limitsOf(uint32_t Major, uint32_t Minor) {
  struct Row {
    uint32_t Major, Minor;
    Limits L;
  };
  constexpr uint64_t K = 1024;
  static constexpr Row Table[] = {
      {6, 0, {64, 32, 64 * K, 64 * K}},   {6, 1, {64, 32, 64 * K, 96 * K}},
      {7, 0, {64, 32, 64 * K, 96 * K}},   {7, 5, {32, 16, 64 * K, 64 * K}},
      {8, 0, {64, 32, 64 * K, 164 * K}},  {8, 6, {48, 16, 64 * K, 100 * K}},
      {8, 9, {48, 24, 64 * K, 100 * K}},  {9, 0, {64, 32, 64 * K, 228 * K}},
      {10, 0, {64, 32, 64 * K, 228 * K}}, {12, 0, {48, 24, 64 * K, 100 * K}}};
  for (const Row &R : Table)
    if (R.Major == Major && R.Minor == Minor)
      return R.L;
  return std::nullopt;
}

std::optional<Limits> limitsOf(const trace::Device &D) {
  if (D.WarpsPerSm && D.BlocksPerSm && D.RegistersPerSm && D.SharedPerSm)
    return Limits{D.WarpsPerSm, D.BlocksPerSm, D.RegistersPerSm, D.SharedPerSm};
  return limitsOf(D.ComputeMajor, D.ComputeMinor);
}

uint64_t roundUp(uint64_t N, uint64_t Unit) {
  return (N + Unit - 1) / Unit * Unit;
}

/// The part of a multiprocessor's warps that blocks of this shape can fill.
std::optional<double> theoretical(const trace::LaunchShape &S,
                                  const trace::Device &D, const Limits &L) {
  if (!S.Registers || !S.Shared)
    return std::nullopt;
  uint64_t Warps = roundUp(S.threads(), WarpSize) / WarpSize;
  uint64_t OfWarp = roundUp(S.Registers * WarpSize, 256);
  uint64_t System = D.ComputeMajor >= 8 ? 1024 : 0;
  uint64_t OfBlock = roundUp(*S.Shared + System, 128);
  uint64_t Blocks =
      std::min({L.Blocks, L.Warps / Warps, L.Registers / OfWarp / Warps,
                OfBlock ? L.Shared / OfBlock : L.Blocks});
  if (!Blocks) // It did run, so the data about it or the device is wrong.
    return std::nullopt;
  return double(Blocks * Warps) / double(L.Warps);
}

} // namespace

std::optional<LaunchFit> autoprof::analysis::fitOf(const trace::LaunchShape &S,
                                                   const trace::Device &D) {
  if (!S.blocks() || !S.threads() || !D.Sms)
    return std::nullopt;
  LaunchFit Fit;
  double BlocksPerSm = double(S.blocks()) / D.Sms;
  Fit.SmEfficiency = std::min(1.0, BlocksPerSm);
  std::optional<Limits> L = limitsOf(D);
  std::optional<double> Limit = L ? theoretical(S, D, *L) : std::nullopt;
  if (Limit)
    Fit.Occupancy = std::min(*Limit, BlocksPerSm * double(S.threads()) /
                                         double(L->Warps * WarpSize));
  return Fit;
}

LaunchFits::LaunchFits(const trace::Timeline &T)
    : T(T), DeviceOfQueue(rowsOfQueues(T)) {
  for (const trace::Device &D : T.Devices)
    for (const trace::Stage &S : T.Stages)
      Fits.push_back(S.Kind == trace::OpKind::Kernel ? fitOf(S.Shape, D)
                                                     : std::nullopt);
}

const std::optional<LaunchFit> &LaunchFits::of(uint32_t Op) const {
  return Fits[size_t(device(Op)) * T.Stages.size() + T.Ops.Stage[Op]];
}

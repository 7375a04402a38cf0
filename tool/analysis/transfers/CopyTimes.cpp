// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/transfers/CopyTimes.h"

#include "analysis/common/Sorting.h"
#include "analysis/common/Statistics.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CopyTime;
using trace::Direction;
using trace::MemoryKind;
using trace::Timeline;

namespace {

/// Of a copy of pinned memory on the H200, CUDA 13.0, over PCI Express 5: a
/// fixed time, and bytes per ns (docs/model.md, "Transfers").
constexpr int64_t BuiltInFixed = 1'200;
constexpr double BuiltInRate = 55.3;
/// How much slower another machine's bus may be (it is hardly faster): that of
/// a GPU of compute capability 9.0 or later, and of an older one.
constexpr double SlowBus = 1.25, SlowestBus = 5;
/// Sizes that occur less often are not used.
constexpr size_t MinCopies = 3;
/// A measurement is used for sizes up to this many times larger.
constexpr uint64_t Reach = 4;
/// Copies below this are mostly fixed time.
constexpr int64_t MinBytes = 64 * 1024;
/// How far a copy of another process may lie outside of what was measured.
constexpr double Margin = 0.03;
/// A size that takes this much longer than its neighbors suggest was measured
/// while something else used the bus.
constexpr double Disturbed = 1.15;

/// One of CopyTime's times for `Bytes`, by those of sizes around it.
double timeOf(llvm::ArrayRef<CopyTime> Times, int64_t CopyTime::*Quantile,
              double Bytes) {
  const auto Above =
      llvm::lower_bound(Times, Bytes, [](const CopyTime &One, double B) {
        return double(One.Bytes) < B;
      });
  if (Above != Times.begin() && Above != Times.end()) {
    const CopyTime &Small = Above[-1], &Large = *Above;
    const double Part =
        (Bytes - double(Small.Bytes)) / double(Large.Bytes - Small.Bytes);
    return double(Small.*Quantile) +
           Part * double(Large.*Quantile - Small.*Quantile);
  }
  const CopyTime &Nearest = Above == Times.end() ? Times.back() : *Above;
  const double Fixed =
      std::min<double>(BuiltInFixed, double(Nearest.*Quantile));
  return Fixed +
         (double(Nearest.*Quantile) - Fixed) * Bytes / double(Nearest.Bytes);
}

bool answers(llvm::ArrayRef<CopyTime> Times, uint64_t Bytes) {
  return !Times.empty() && (uint64_t(Times.back().Bytes) * Reach >= Bytes) &&
         (Times.back().Bytes >= MinBytes || uint64_t(MinBytes) > Bytes);
}

/// From the tenth percentile to the median: the longest ones were delayed by
/// something else.
PinnedCopies::Estimate estimate(llvm::ArrayRef<CopyTime> Times, uint64_t Bytes,
                                ConstantSource From) {
  const double Short = timeOf(Times, &CopyTime::Short, double(Bytes)),
               Median = timeOf(Times, &CopyTime::Median, double(Bytes));
  return {int64_t(Short * (1 - Margin)), int64_t(Median * (1 + Margin)) + 1,
          From};
}

/// Times are a fixed one and one for each byte, so a size between two others
/// takes hardly longer than these suggest. By bytes.
void dropDisturbed(std::vector<CopyTime> &Times) {
  for (size_t I = 1; I + 1 < Times.size();) {
    const CopyTime Around[] = {Times[I - 1], Times[I + 1]};
    const double Expected =
        timeOf(Around, &CopyTime::Median, double(Times[I].Bytes));
    if (double(Times[I].Median) > Disturbed * Expected) {
      Times.erase(Times.begin() + ptrdiff_t(I));
      I = 1;
    } else {
      ++I;
    }
  }
}

} // namespace

bool autoprof::analysis::isTransfer(const trace::Stage &S) {
  return S.Kind == trace::OpKind::Copy &&
         (S.Dir == Direction::HtoD || S.Dir == Direction::DtoH);
}

MemoryKind autoprof::analysis::hostMemory(const trace::Stage &S) {
  return S.Dir == Direction::HtoD ? S.Source : S.Destination;
}

std::vector<CopyTime> autoprof::analysis::measureCopies(const Timeline &T) {
  struct Samples {
    std::vector<int64_t> Gpu, Host;
  };
  // To the device first, and pinned memory first.
  std::map<std::tuple<bool, bool, uint64_t>, Samples> BySize;
  const auto &Order = T.LaunchOrder;
  for (size_t I = 0; I < Order.size(); ++I) {
    const uint32_t Op = Order[I], Call = T.Ops.Launch[Op];
    const trace::Stage &S = T.Stages[T.Ops.Stage[Op]];
    const bool IsAlone =
        (I == 0 || T.Ops.Launch[Order[I - 1]] != Call) &&
        (I + 1 == Order.size() || T.Ops.Launch[Order[I + 1]] != Call);
    const MemoryKind Memory = hostMemory(S);
    if (!IsAlone || !isTransfer(S) || !S.Bytes ||
        (Memory != MemoryKind::Pinned && Memory != MemoryKind::Pageable))
      continue;
    Samples &Found = BySize[{S.Dir != Direction::HtoD,
                             Memory != MemoryKind::Pinned, S.Bytes}];
    Found.Gpu.push_back(T.Ops.End[Op] - T.Ops.Start[Op]);
    if (!T.Strings[T.Host.Name[Call]].contains("Async"))
      Found.Host.push_back(T.Host.End[Call] - T.Host.Start[Call]);
  }
  std::vector<CopyTime> Result;
  for (const auto &[Key, Found] : BySize) {
    if (Found.Gpu.size() < MinCopies)
      continue;
    const auto &[IsFromDevice, IsPageable, Bytes] = Key;
    Result.push_back({!IsFromDevice, !IsPageable, int64_t(Bytes),
                      int64_t(Found.Gpu.size()), quantile(Found.Gpu, 0.1),
                      median(Found.Gpu), quantile(Found.Gpu, 0.9),
                      median(Found.Host)});
  }
  return Result;
}

PinnedCopies::PinnedCopies(const Timeline &T,
                           const catalogue::Semantics *Measured) {
  auto Sort = [](const std::vector<CopyTime> &All,
                 std::vector<CopyTime>(&Into)[2]) {
    for (const CopyTime &One : All)
      if (One.Pinned && One.Bytes > 0)
        Into[One.ToDevice ? 0 : 1].push_back(One);
    for (std::vector<CopyTime> &Each : Into) {
      sortBy(Each, &CopyTime::Bytes);
      dropDisturbed(Each);
    }
  };
  IsPciExpress5 =
      !T.Devices.empty() && llvm::all_of(T.Devices, [](const trace::Device &D) {
        return D.ComputeMajor >= 9;
      });
  Sort(measureCopies(T), Recorded);
  if (Measured)
    Sort(Measured->Machine.Copies, Calibrated);
}

PinnedCopies::Estimate PinnedCopies::of(Direction Dir, uint64_t Bytes) const {
  const size_t Index = Dir == Direction::HtoD ? 0 : 1;
  if (answers(Recorded[Index], Bytes))
    return estimate(Recorded[Index], Bytes, ConstantSource::Recording);
  if (answers(Calibrated[Index], Bytes))
    return estimate(Calibrated[Index], Bytes, ConstantSource::Calibration);
  const double Ns = BuiltInFixed + double(Bytes) / BuiltInRate;
  return {int64_t(Ns * (1 - Margin)),
          int64_t(Ns * (IsPciExpress5 ? SlowBus : SlowestBus)),
          ConstantSource::BuiltIn};
}

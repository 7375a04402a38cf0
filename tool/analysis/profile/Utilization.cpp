// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Utilization.h"

#include "analysis/common/Windows.h"
#include "analysis/profile/Occupancy.h"
#include "catalogue/LibraryTraits.h"

#include <queue>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// A running operation.
struct Running {
  int64_t End;
  Work Kind;
  bool IsKernel;
  double Sms; ///< Part of the multiprocessors.
  bool operator>(const Running &O) const { return End > O.End; }
};

/// One device's operations, in order of time.
class Sweep {
  const trace::Window Bounds;
  Utilization &Sum;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> Active;
  std::array<uint32_t, NumWorks> Count{};
  uint32_t Kernels = 0;
  double Sms = 0;
  int64_t Time = 0;

  void advance(int64_t To);
  void change(const Running &R, int Delta);

public:
  double SmTime = 0; ///< ns, times the part of the multiprocessors.

  Sweep(const trace::Window &Bounds, Utilization &Sum)
      : Bounds(Bounds), Sum(Sum), Time(Bounds.Start) {}
  void start(const Running &R, int64_t Begin);
  void finish();
};

void Sweep::advance(int64_t To) {
  To = std::min(To, Bounds.End);
  if (To <= Time)
    return;
  int64_t Ns = To - Time;
  Time = To;
  auto First = std::find_if(Count.begin(), Count.end(),
                            [](uint32_t N) { return N > 0; });
  if (First != Count.end())
    Sum.Parts[size_t(First - Count.begin())] += Ns;
  if (Kernels) {
    Sum.Kernels += Ns;
    SmTime += std::min(1.0, Sms) * double(Ns);
  }
}

void Sweep::change(const Running &R, int Delta) {
  Count[unsigned(R.Kind)] += uint32_t(Delta);
  if (!R.IsKernel)
    return;
  Kernels += uint32_t(Delta);
  Sms = Kernels ? Sms + Delta * R.Sms : 0; // No error adds up.
}

void Sweep::start(const Running &R, int64_t Begin) {
  while (!Active.empty() && Active.top().End <= Begin) {
    advance(Active.top().End);
    change(Active.top(), -1);
    Active.pop();
  }
  advance(Begin);
  change(R, 1);
  Active.push(R);
}

void Sweep::finish() {
  while (!Active.empty()) {
    advance(Active.top().End);
    change(Active.top(), -1);
    Active.pop();
  }
}

bool isKernel(const trace::Stage &S) {
  return S.Kind == trace::OpKind::Kernel || S.Kind == trace::OpKind::Graph;
}

} // namespace

int64_t Utilization::busy() const {
  int64_t Sum = 0;
  for (int64_t Part : Parts)
    Sum += Part;
  return Sum;
}

llvm::StringRef autoprof::analysis::name(Work W) {
  constexpr llvm::StringLiteral Names[] = {"compute", "copy", "set",
                                           "communication", "other"};
  return Names[unsigned(W)];
}

Work autoprof::analysis::workOf(const Timeline &T, const trace::Stage &S) {
  switch (S.Kind) {
  case trace::OpKind::Kernel:
    return catalogue::isCollective(T.Strings[S.Name]) ? Work::Communication
                                                      : Work::Compute;
  case trace::OpKind::Graph:
    return Work::Compute;
  case trace::OpKind::Copy:
    return Work::Copy;
  case trace::OpKind::Set:
    return Work::Set;
  case trace::OpKind::Other:
    break;
  }
  return Work::Other;
}

Utilization
autoprof::analysis::findUtilization(const Timeline &T,
                                    const std::vector<DeviceActivity> &Activity,
                                    const trace::Window &Bounds) {
  Utilization Result;
  std::vector<Sweep> Devices(Activity.size(), Sweep(Bounds, Result));
  for (const DeviceActivity &D : Activity)
    Result.Time += overlap(Bounds, D.First, D.Last) -
                   D.unknownIn(Bounds.Start, Bounds.End);

  std::vector<Work> WorkOfStage;
  for (const trace::Stage &S : T.Stages)
    WorkOfStage.push_back(workOf(T, S));
  const LaunchFits Fits(T);
  double Fit = 0, Unfit = 0, Warps = 0, WarpsKnown = 0;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    uint32_t Stage = T.Ops.Stage[I];
    const std::optional<LaunchFit> &Known = Fits.of(I);
    double Ns = double(overlap(Bounds, T.Ops.Start[I], T.Ops.End[I]));
    if (isKernel(T.Stages[Stage])) {
      (Known ? Fit : Unfit) += Ns;
      WarpsKnown += Known && Known->Occupancy ? Ns : 0;
      Warps += Known && Known->Occupancy ? *Known->Occupancy * Ns : 0;
    }
    Devices[Fits.device(I)].start({T.Ops.End[I], WorkOfStage[Stage],
                                   isKernel(T.Stages[Stage]),
                                   Known ? Known->SmEfficiency : 0},
                                  T.Ops.Start[I]);
  }
  double SmTime = 0;
  for (Sweep &D : Devices) {
    D.finish();
    SmTime += D.SmTime;
  }
  constexpr double Enough = 0.95;
  if (Fit > 0 && Fit >= Enough * (Fit + Unfit) && Result.Time)
    Result.SmEfficiency = SmTime / double(Result.Time);
  if (WarpsKnown > 0 && WarpsKnown >= Enough * (Fit + Unfit))
    Result.Occupancy = Warps / WarpsKnown;
  return Result;
}

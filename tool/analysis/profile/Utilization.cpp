// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Utilization.h"

#include "analysis/common/Windows.h"
#include "analysis/profile/Occupancy.h"
#include "catalogue/LibraryTraits.h"

#include <limits>
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

/// A span of time in which the same operations run on a device.
struct Span {
  int64_t Start, End;
  std::optional<Work> What; ///< nullopt: nothing.
  bool HasKernel;
  double Sms; ///< Part of the multiprocessors, of all kernels; at most 1.
};

using SpanCallback = llvm::function_ref<void(uint32_t Device, const Span &)>;

/// One device's operations, in order of time.
class Sweep {
  const uint32_t Device; ///< Into Timeline::Devices.
  const trace::Window Bounds;
  const SpanCallback See;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> Active;
  std::array<uint32_t, NumWorks> Count{};
  uint32_t Kernels = 0;
  double Sms = 0;
  int64_t Time = 0;

  void advance(int64_t To);
  void change(const Running &R, int Delta);
  void endUntil(int64_t To);

public:
  Sweep(uint32_t Device, const trace::Window &Bounds, SpanCallback See)
      : Device(Device), Bounds(Bounds), See(See), Time(Bounds.Start) {}
  void start(const Running &R, int64_t Begin);
  void finish() { endUntil(std::numeric_limits<int64_t>::max()); }
};

void Sweep::advance(int64_t To) {
  To = std::min(To, Bounds.End);
  if (To <= Time)
    return;
  auto First = std::find_if(Count.begin(), Count.end(),
                            [](uint32_t N) { return N > 0; });
  Span Now{Time, To, std::nullopt, Kernels > 0, std::min(1.0, Sms)};
  if (First != Count.end())
    Now.What = Work(First - Count.begin());
  Time = To;
  See(Device, Now);
}

void Sweep::change(const Running &R, int Delta) {
  Count[unsigned(R.Kind)] += uint32_t(Delta);
  if (!R.IsKernel)
    return;
  Kernels += uint32_t(Delta);
  Sms = Kernels ? Sms + Delta * R.Sms : 0; // No error adds up.
}

void Sweep::endUntil(int64_t To) {
  while (!Active.empty() && Active.top().End <= To) {
    advance(Active.top().End);
    change(Active.top(), -1);
    Active.pop();
  }
}

void Sweep::start(const Running &R, int64_t Begin) {
  endUntil(Begin);
  advance(Begin);
  change(R, 1);
  Active.push(R);
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

/// Calls back for each span of each device's time in `Bounds` up to its last
/// operation. Returns the part of the kernels' time in which their use of the
/// multiprocessors is known.
static double sweep(const Timeline &T, const LaunchFits &Fits,
                    const trace::Window &Bounds, SpanCallback See) {
  std::vector<Sweep> Devices;
  for (uint32_t D = 0; D < T.Devices.size(); ++D)
    Devices.emplace_back(D, Bounds, See);

  std::vector<Work> WorkOfStage;
  for (const trace::Stage &S : T.Stages)
    WorkOfStage.push_back(workOf(T, S));
  double Fit = 0, Unfit = 0;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    const uint32_t Stage = T.Ops.Stage[I];
    const std::optional<LaunchFit> &Known = Fits.of(I);
    if (isKernel(T.Stages[Stage]))
      (Known ? Fit : Unfit) +=
          double(overlap(Bounds, T.Ops.Start[I], T.Ops.End[I]));
    Devices[Fits.device(I)].start({T.Ops.End[I], WorkOfStage[Stage],
                                   isKernel(T.Stages[Stage]),
                                   Known ? Known->SmEfficiency : 0},
                                  T.Ops.Start[I]);
  }
  for (Sweep &D : Devices)
    D.finish();
  return Fit > 0 ? Fit / (Fit + Unfit) : 0;
}

/// So much of the kernels' time must be known.
constexpr double Enough = 0.95;

/// The mean occupancy of the kernels in `Bounds`, by their time.
static std::optional<double> meanOccupancy(const Timeline &T,
                                           const LaunchFits &Fits,
                                           const trace::Window &Bounds) {
  double All = 0, Known = 0, Warps = 0;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    if (!isKernel(T.Stages[T.Ops.Stage[I]]))
      continue;
    const double Ns = double(overlap(Bounds, T.Ops.Start[I], T.Ops.End[I]));
    const std::optional<LaunchFit> &Fit = Fits.of(I);
    All += Ns;
    Known += Fit && Fit->Occupancy ? Ns : 0;
    Warps += Fit && Fit->Occupancy ? *Fit->Occupancy * Ns : 0;
  }
  if (Known > 0 && Known >= Enough * All)
    return Warps / Known;
  return std::nullopt;
}

Utilization
autoprof::analysis::findUtilization(const Timeline &T,
                                    const std::vector<DeviceActivity> &Activity,
                                    const trace::Window &Bounds) {
  Utilization Result;
  for (const DeviceActivity &D : Activity)
    Result.Time += overlap(Bounds, D.First, D.Last) -
                   D.unknownIn(Bounds.Start, Bounds.End);
  const LaunchFits Fits(T);
  double SmTime = 0;
  const double Known = sweep(T, Fits, Bounds, [&](uint32_t, const Span &Now) {
    const int64_t Ns = Now.End - Now.Start;
    if (Now.What)
      Result.Parts[unsigned(*Now.What)] += Ns;
    if (Now.HasKernel)
      Result.Kernels += Ns;
    SmTime += Now.HasKernel ? Now.Sms * double(Ns) : 0;
  });
  if (Known >= Enough && Result.Time)
    Result.SmEfficiency = SmTime / double(Result.Time);
  Result.Occupancy = meanOccupancy(T, Fits, Bounds);
  return Result;
}

std::vector<UtilizationCurve> autoprof::analysis::findUtilizationCurves(
    const Timeline &T, const trace::Window &Bounds, int64_t Width) {
  const size_t Parts = size_t(
      std::max<int64_t>(0, Bounds.End - Bounds.Start + Width - 1) / Width);
  std::vector<UtilizationCurve> Curves;
  for (const trace::Device &D : T.Devices)
    Curves.push_back(
        {D.Id, std::vector<double>(Parts), std::vector<double>(Parts)});
  auto Add = [&](uint32_t Device, const Span &Now) {
    if (!Now.HasKernel)
      return;
    for (int64_t At = Now.Start; At < Now.End;) {
      const size_t Part = size_t((At - Bounds.Start) / Width);
      const int64_t To = std::min(
          {Now.End, Bounds.Start + int64_t(Part + 1) * Width, Bounds.End});
      const double Share = double(To - At) / double(Width);
      Curves[Device].Kernels[Part] += Share;
      Curves[Device].Sms[Part] += Share * Now.Sms;
      At = To;
    }
  };
  if (sweep(T, LaunchFits(T), Bounds, Add) < Enough)
    for (UtilizationCurve &C : Curves)
      C.Sms.clear();
  return Curves;
}

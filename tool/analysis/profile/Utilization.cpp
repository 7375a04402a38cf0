// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Utilization.h"

#include "analysis/common/Windows.h"
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <queue>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;
using trace::Window;

namespace {

/// The part of an operation in `Bounds`; empty: none of it.
Window partIn(const Window &Bounds, const trace::GpuOps &O, uint32_t Op) {
  const int64_t Start = std::max(O.Start[Op], Bounds.Start);
  return {Start, std::max(Start, std::min(O.End[Op], Bounds.End))};
}

/// So much of the kernels' time must be known.
constexpr double Enough = 0.95;

using SpanCallback =
    llvm::function_ref<void(uint32_t Device, const Window &Span, double Sms)>;

/// The kernels of one device that run; they come in the order of their starts.
class RunningKernels {
  using Kernel = std::pair<int64_t, double>; ///< Its end, and its share.
  std::priority_queue<Kernel, std::vector<Kernel>, std::greater<>> All;
  int64_t Time = 0;
  double Sms = 0;

public:
  /// Gives each span up to `To` in which the same ones run.
  void moveTo(int64_t To, uint32_t Device, SpanCallback See) {
    while (!All.empty() && Time < To) {
      const auto [End, Share] = All.top();
      if (const int64_t Until = std::min(End, To); Time < Until) {
        See(Device, {Time, Until}, std::min(1.0, Sms));
        Time = Until;
      }
      if (End > To)
        return;
      All.pop();
      Sms = All.empty() ? 0 : Sms - Share; // No error adds up.
    }
    Time = To;
  }
  void start(int64_t End, double Share) {
    All.emplace(End, Share);
    Sms += Share;
  }
};

/// Calls back for each span in `Bounds` in which the same kernels run, with the
/// part of the multiprocessors that they can use. Returns whether that is known
/// of enough of them.
bool forEachSpan(const Timeline &T, const Window &Bounds, SpanCallback See) {
  const std::vector<uint32_t> DeviceOf = rowsOfQueues(T);
  std::vector<RunningKernels> Running(T.Devices.size());
  double All = 0, Known = 0;
  for (uint32_t I = 0; I < T.Ops.size(); ++I) {
    const trace::Stage &S = T.Stages[T.Ops.Stage[I]];
    const Window Part = partIn(Bounds, T.Ops, I);
    if ((S.Kind != trace::OpKind::Kernel && S.Kind != trace::OpKind::Graph) ||
        Part.Start == Part.End)
      continue;
    const uint32_t Device = DeviceOf[T.Ops.Queue[I]];
    const std::optional<double> Sms = smEfficiency(S, T.Devices[Device]);
    All += double(Part.End - Part.Start);
    Known += Sms ? double(Part.End - Part.Start) : 0;
    Running[Device].moveTo(Part.Start, Device, See);
    Running[Device].start(Part.End, Sms.value_or(0));
  }
  for (uint32_t D = 0; D < Running.size(); ++D)
    Running[D].moveTo(INT64_MAX, D, See);
  return Known > 0 && Known >= Enough * All;
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

std::optional<double> autoprof::analysis::smEfficiency(const trace::Stage &S,
                                                       const trace::Device &D) {
  const uint64_t Blocks = S.Shape.blocks();
  if (S.Kind != trace::OpKind::Kernel || !Blocks || !D.Sms)
    return std::nullopt;
  return std::min(1.0, double(Blocks) / D.Sms);
}

Utilization
autoprof::analysis::findUtilization(const Timeline &T,
                                    const std::vector<DeviceActivity> &Activity,
                                    const Window &Bounds) {
  Utilization Result;
  for (const DeviceActivity &D : Activity)
    Result.Time += overlap(Bounds, D.First, D.Last) -
                   D.unknownIn(Bounds.Start, Bounds.End);
  const std::vector<uint32_t> DeviceOf = rowsOfQueues(T);
  std::vector<Work> WorkOfStage;
  for (const trace::Stage &S : T.Stages)
    WorkOfStage.push_back(workOf(T, S));
  // First of each kind together with those before it; by device, until when.
  std::vector<std::array<int64_t, NumWorks>> Done(T.Devices.size());
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    for (unsigned W = unsigned(WorkOfStage[T.Ops.Stage[I]]); W < NumWorks;
         ++W) {
      const Window Part = partIn(Bounds, T.Ops, I);
      int64_t &Until = Done[DeviceOf[T.Ops.Queue[I]]][W];
      Result.Parts[W] +=
          std::max<int64_t>(0, Part.End - std::max(Part.Start, Until));
      Until = std::max(Until, Part.End);
    }
  for (unsigned W = NumWorks - 1; W > 0; --W)
    Result.Parts[W] -= Result.Parts[W - 1];
  double SmTime = 0;
  const bool IsKnown =
      forEachSpan(T, Bounds, [&](uint32_t, const Window &Span, double Sms) {
        Result.Kernels += Span.End - Span.Start;
        SmTime += Sms * double(Span.End - Span.Start);
      });
  if (IsKnown && Result.Time)
    Result.SmEfficiency = SmTime / double(Result.Time);
  return Result;
}

std::vector<UtilizationCurve>
autoprof::analysis::findUtilizationCurves(const Timeline &T,
                                          const Window &Bounds, int64_t Width) {
  const size_t Parts = size_t(
      std::max<int64_t>(0, Bounds.End - Bounds.Start + Width - 1) / Width);
  std::vector<UtilizationCurve> Curves;
  for (const trace::Device &D : T.Devices)
    Curves.push_back(
        {D.Id, std::vector<double>(Parts), std::vector<double>(Parts)});
  auto Add = [&](uint32_t Device, const Window &Span, double Sms) {
    for (int64_t At = Span.Start; At < Span.End;) {
      const auto Part = size_t((At - Bounds.Start) / Width);
      const int64_t To =
          std::min(Span.End, Bounds.Start + int64_t(Part + 1) * Width);
      const double Share = double(To - At) / double(Width);
      Curves[Device].Kernels[Part] += Share;
      Curves[Device].Sms[Part] += Share * Sms;
      At = To;
    }
  };
  if (!forEachSpan(T, Bounds, Add))
    for (UtilizationCurve &C : Curves)
      C.Sms.clear();
  return Curves;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Utilization.h"

#include "analysis/common/Windows.h"
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"

#include <queue>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// A running operation.
struct Running {
  int64_t End;
  Work Kind;
  bool operator>(const Running &O) const { return End > O.End; }
};

/// One device's operations, in order of time.
class Sweep {
  const trace::Window Bounds;
  Utilization &Sum;
  std::priority_queue<Running, std::vector<Running>, std::greater<>> Active;
  std::array<uint32_t, NumWorks> Count{};
  int64_t Time = 0;

  void advance(int64_t To);

public:
  Sweep(const trace::Window &Bounds, Utilization &Sum)
      : Bounds(Bounds), Sum(Sum), Time(Bounds.Start) {}
  void start(const Running &R, int64_t Begin);
  void finishUntil(int64_t End);
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
}

void Sweep::finishUntil(int64_t End) {
  while (!Active.empty() && Active.top().End <= End) {
    advance(Active.top().End);
    --Count[unsigned(Active.top().Kind)];
    Active.pop();
  }
}

void Sweep::start(const Running &R, int64_t Begin) {
  finishUntil(Begin);
  advance(Begin);
  ++Count[unsigned(R.Kind)];
  Active.push(R);
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

std::vector<uint32_t> autoprof::analysis::devicesOfQueues(const Timeline &T) {
  std::vector<uint32_t> Result;
  for (const trace::Queue &Q : T.Queues)
    Result.push_back(uint32_t(llvm::find_if(T.Devices,
                                            [&](const trace::Device &D) {
                                              return D.Id == Q.Device;
                                            }) -
                              T.Devices.begin()));
  return Result;
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
  const std::vector<uint32_t> DeviceOf = devicesOfQueues(T);
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    Devices[DeviceOf[T.Ops.Queue[I]]].start(
        {T.Ops.End[I], WorkOfStage[T.Ops.Stage[I]]}, T.Ops.Start[I]);
  for (Sweep &D : Devices)
    D.finishUntil(INT64_MAX);
  return Result;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/capture/Capture.h"

#include "analysis/common/Statistics.h"
#include "catalogue/Catalogue.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <map>
#include <unordered_map>

using namespace autoprof;
using namespace autoprof::analysis;
using catalogue::CallClass;
using llvm::StringRef;
using trace::None;
using trace::OpKind;
using trace::Timeline;

namespace {

/// The least and the most by which an operation, with the pause before it,
/// takes longer in a graph than in the recording, and what the CPU needs to
/// launch a graph; ns. Recorded kernels end a little late, which shows in tiny
/// ones. Six loops on an H200 are within these bounds
/// (docs/predictions.md, "Capture").
constexpr int64_t LeastPause = -200, MostPause = 300, GraphLaunch = 5'000;

/// One step, as far as it was launched.
struct Launched {
  std::vector<uint32_t> Ops;      ///< Into GpuOps, in order of their launches.
  std::vector<uint32_t> Blocking; ///< Calls that end a part; HostEvents.
  int64_t First = 0, Last = 0;    ///< ns: first launch begins, last one ends.
  int64_t Busy = 0;               ///< ns
  size_t Pattern = 0;
};

class Finder {
  const Timeline &T;
  const trace::HostEvents &H;
  const trace::GpuOps &O;
  const Attribution &A;
  const Steps &S;
  Capture Result;
  std::vector<Launched> List; ///< Of the steps that count.
  std::map<std::tuple<Obstacle, uint32_t, uint32_t>, uint64_t> Found;
  std::vector<int64_t> WaitIn; ///< ns in calls that synchronize, by step.

  size_t stepAt(int64_t Time, size_t From) const;
  void readOps();
  void readCalls();
  std::optional<Obstacle> obstacleOf(uint32_t Call,
                                     llvm::ArrayRef<uint32_t> Ops) const;
  bool isGraphAlready() const;
  int64_t busy(llvm::ArrayRef<uint32_t> Ops, int64_t *Span = nullptr) const;
  void findPattern();
  void addStreams();
  int64_t hostBetween() const;
  void predict();
  void predictPart();

public:
  Finder(const Timeline &T, const Attribution &A, const Steps &S)
      : T(T), H(T.Host), O(T.Ops), A(A), S(S), List(S.measured()),
        WaitIn(S.measured()) {}
  std::optional<Capture> run();
};

/// Into List, of the step that is open at this time, or its end; `From` is not
/// after it.
size_t Finder::stepAt(int64_t Time, size_t From) const {
  while (From < List.size() && S.List[S.WarmUp + From].End <= Time)
    ++From;
  return From;
}

void Finder::readOps() {
  size_t Step = 0;
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = O.Launch[Op];
    Step = stepAt(H.Start[Call], Step);
    if (Step == List.size())
      break;
    if (H.Start[Call] < S.List[S.WarmUp + Step].Start)
      continue;
    Launched &L = List[Step];
    if (L.Ops.empty())
      L.First = H.Start[Call];
    L.Last = std::max(L.Last, H.End[Call]);
    L.Ops.push_back(Op);
    const StringRef Name = T.Strings[T.Stages[O.Stage[Op]].Name];
    Result.IsPyTorch |= Name.contains("at::native");
  }
  for (Launched &L : List)
    L.Busy = busy(L.Ops);
}

/// ns in which one of the operations ran; `Span`: from their first start to
/// their last end.
int64_t Finder::busy(llvm::ArrayRef<uint32_t> Ops, int64_t *Span) const {
  if (Ops.empty())
    return 0;
  std::vector<uint32_t> Sorted = Ops.vec();
  llvm::sort(Sorted); // By start, as GpuOps are.
  int64_t Sum = 0, End = O.Start[Sorted[0]];
  for (uint32_t Op : Sorted) {
    Sum += std::max<int64_t>(0, O.End[Op] - std::max(End, O.Start[Op]));
    End = std::max(End, O.End[Op]);
  }
  if (Span)
    *Span = End - O.Start[Sorted[0]];
  return Sum;
}

bool Finder::isGraphAlready() const {
  size_t InGraphs = 0, All = 0;
  for (const Launched &L : List)
    for (uint32_t Op : L.Ops) {
      ++All;
      InGraphs += T.Stages[O.Stage[Op]].Kind == OpKind::Graph ||
                  T.Strings[H.Name[O.Launch[Op]]].contains("GraphLaunch");
    }
  return 2 * InGraphs > All;
}

std::optional<Obstacle> Finder::obstacleOf(uint32_t Call,
                                           llvm::ArrayRef<uint32_t> Ops) const {
  const StringRef Name = T.Strings[H.Name[Call]];
  const catalogue::Row *Row = catalogue::lookup(Name);
  if (!Row)
    return std::nullopt;
  const bool IsAsync = Name.contains("Async");
  switch (Row->Class) {
  case CallClass::Sync:
    if (catalogue::mayWait(Row->Wait))
      return Obstacle::Synchronizes;
    return std::nullopt;
  case CallClass::Copy:
  case CallClass::Set:
    if (!IsAsync && Row->Class == CallClass::Copy)
      return Obstacle::Synchronizes;
    for (uint32_t Op : Ops) {
      const trace::Stage &Stage = T.Stages[O.Stage[Op]];
      if (Stage.Source == trace::MemoryKind::Pageable ||
          Stage.Destination == trace::MemoryKind::Pageable)
        return Obstacle::Pageable;
    }
    return std::nullopt;
  case CallClass::Alloc:
  case CallClass::Free:
    return IsAsync ? std::nullopt : std::optional(Obstacle::Allocates);
  case CallClass::Launch:
  case CallClass::Query:
  case CallClass::Other:
    break;
  }
  return std::nullopt;
}

void Finder::readCalls() {
  size_t Step = 0, Next = 0;
  std::optional<size_t> OtherWorkBefore;
  for (uint32_t I = 0; I < H.size(); ++I) {
    const size_t First = Next;
    while (Next < T.LaunchOrder.size() && O.Launch[T.LaunchOrder[Next]] == I)
      ++Next;
    if (!H.isCall(I) || A.Outer[I] != I)
      continue;
    Step = stepAt(H.Start[I], Step);
    if (Step == List.size())
      break;
    const auto Ops = llvm::ArrayRef(T.LaunchOrder).slice(First, Next - First);
    // A range may end before the program waits for its step. Once it launches
    // something else, such as a validation, it waits for that.
    const bool IsBetween = H.Start[I] < S.List[S.WarmUp + Step].Start;
    if (IsBetween && llvm::any_of(Ops, [this](uint32_t Op) {
          return T.Stages[O.Stage[Op]].Kind == trace::OpKind::Kernel;
        }))
      OtherWorkBefore = Step;
    const std::optional<Obstacle> Why = obstacleOf(I, Ops);
    if (!Why || (IsBetween && (!Step || *Why != Obstacle::Synchronizes ||
                               OtherWorkBefore == Step)))
      continue;
    const size_t Of = Step - IsBetween;
    ++Found[{*Why, A.Site[I], H.Name[I]}];
    List[Of].Blocking.push_back(I);
    if (*Why == Obstacle::Synchronizes)
      WaitIn[Of] += H.End[I] - H.Start[I];
  }
}

/// What most steps launch.
void Finder::findPattern() {
  std::unordered_map<size_t, size_t> Count;
  size_t Most = 0;
  for (Launched &L : List) {
    llvm::hash_code Pattern(0);
    for (uint32_t Op : L.Ops)
      if (T.Stages[O.Stage[Op]].Dir != trace::Direction::DtoH)
        Pattern = llvm::hash_combine(Pattern, O.Stage[Op]);
    L.Pattern = Pattern;
    Most = std::max(Most, ++Count[L.Pattern]);
  }
  Result.Same = double(Most) / double(List.size());
}

/// Blockers that follow from the streams and threads of the launches. PyTorch
/// captures what all of its threads launch for a stream, and then uses a stream
/// of its own.
void Finder::addStreams() {
  if (Result.IsPyTorch)
    return;
  std::map<uint32_t, uint64_t> OfThread;
  for (const Launched &L : List)
    for (uint32_t Op : L.Ops) {
      ++OfThread[H.Thread[O.Launch[Op]]];
      // A synchronous copy prevents capture by itself.
      if (llvm::is_contained(L.Blocking, O.Launch[Op]))
        continue;
      if (T.Queues[O.Queue[Op]].Flag == trace::StreamFlag::Null)
        ++Found[{Obstacle::LegacyStream, None, None}];
    }
  uint64_t Most = 0, All = 0;
  for (auto [Thread, Count] : OfThread) {
    Most = std::max(Most, Count);
    All += Count;
  }
  if (Most < All)
    Found[{Obstacle::OtherThread, None, None}] = All - Most;
}

/// ns, median: what the host does between the launches of two steps, and goes
/// on doing.
int64_t Finder::hostBetween() const {
  std::vector<int64_t> Times;
  for (size_t I = 1; I < List.size(); ++I) {
    // A wait lies there, or in the step before the last launch.
    int64_t Waits = 0;
    for (size_t Step : {I - 1, I})
      for (uint32_t Call : List[Step].Blocking)
        if (H.Start[Call] >= List[I - 1].Last && H.End[Call] <= List[I].First)
          Waits += H.End[Call] - H.Start[Call];
    Times.push_back(
        std::max<int64_t>(0, List[I].First - List[I - 1].Last - Waits));
  }
  return median(std::move(Times));
}

void Finder::predict() {
  std::vector<int64_t> BusyTimes, Operations;
  size_t Waiting = 0;
  for (size_t I = 0; I < List.size(); ++I) {
    BusyTimes.push_back(List[I].Busy);
    Operations.push_back(int64_t(List[I].Ops.size()));
    Waiting += WaitIn[I] > 0;
  }
  const int64_t Busy = median(std::move(BusyTimes)), Host = hostBetween(),
                Ops = median(std::move(Operations)), Now = median(S.times());
  Result.Ops = size_t(Ops);
  // If a step waits, the host's work comes after the GPU's.
  const bool Waits = 2 * Waiting > List.size();
  const int64_t Most = Busy + MostPause * Ops;
  Result.Whole.Low =
      std::min(Now, std::max({Busy + LeastPause * Ops, Host, GraphLaunch}));
  Result.Whole.High =
      std::min(Now, GraphLaunch + (Waits ? Most + Host : std::max(Most, Host)));
}

/// Of the step whose time is nearest to the median.
void Finder::predictPart() {
  const int64_t Now = median(S.times());
  size_t Typical = 0;
  for (size_t I = 0; I < List.size(); ++I) {
    auto Distance = [&](size_t Step) {
      return std::abs(S.List[S.WarmUp + Step].Time - Now);
    };
    if (Distance(I) < Distance(Typical))
      Typical = I;
  }
  const Launched &L = List[Typical];
  if (L.Blocking.empty())
    return;
  int64_t Best = 0;
  std::vector<uint32_t> Part;
  size_t NextBlock = 0;
  auto Close = [&] {
    int64_t Span = 0;
    const int64_t Busy = busy(Part, &Span);
    const int64_t Saved = Span - Busy - MostPause * int64_t(Part.size());
    if (Saved > Best) {
      Best = Saved;
      Result.PartOps = Part.size();
    }
    Part.clear();
  };
  for (uint32_t Op : L.Ops) {
    bool IsBlocking = false;
    for (;
         NextBlock < L.Blocking.size() && L.Blocking[NextBlock] <= O.Launch[Op];
         ++NextBlock) {
      Close();
      IsBlocking |= L.Blocking[NextBlock] == O.Launch[Op];
    }
    if (!IsBlocking)
      Part.push_back(Op);
  }
  Close();
  // All operations are the whole step.
  if (!Best || Result.PartOps >= L.Ops.size())
    return;
  const int64_t Spread = (MostPause - LeastPause) * int64_t(Result.PartOps);
  Result.Part = StepRange{
      std::max(Result.Whole.Low, Now - Best - Spread),
      std::min(Now, std::max(Result.Whole.High, Now - Best + GraphLaunch))};
}

std::optional<Capture> Finder::run() {
  readOps();
  if (isGraphAlready() ||
      llvm::all_of(List, [](const Launched &L) { return L.Ops.empty(); }))
    return std::nullopt;
  readCalls();
  findPattern();
  addStreams();
  predict();
  predictPart();
  for (auto [Key, Count] : Found) {
    auto [Why, Site, Call] = Key;
    Result.Blockers.push_back({Why, Site, Call, Count});
  }
  llvm::stable_sort(Result.Blockers,
                    [](const CaptureBlocker &A, const CaptureBlocker &B) {
                      return A.Count > B.Count;
                    });
  return std::move(Result);
}

} // namespace

llvm::StringRef autoprof::analysis::name(Obstacle O) {
  constexpr llvm::StringLiteral Names[] = {"synchronizes", "pageable_copy",
                                           "allocates", "legacy_stream",
                                           "other_thread"};
  return Names[unsigned(O)];
}

std::optional<Capture> autoprof::analysis::findCapture(const Timeline &T,
                                                       const Attribution &A,
                                                       const Steps &S) {
  if (!S.FromGpu || S.times().empty())
    return std::nullopt;
  return Finder(T, A, S).run();
}

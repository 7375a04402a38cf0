// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/TimelineBuilder.h"

#include "trace/timeline/CallIndex.h"
#include "trace/timeline/NumberedRanges.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>

using namespace autoprof::trace;
using llvm::StringRef;

uint32_t TimelineBuilder::addThread(int64_t Tid, StringRef Name) {
  T.Threads.push_back({Tid, Name.str()});
  return T.Threads.size() - 1;
}

uint32_t TimelineBuilder::queue(uint32_t Device, uint32_t Context,
                                uint32_t Stream) {
  auto [It, New] =
      QueueIndex.try_emplace({Device, Context, Stream}, T.Queues.size());
  if (New)
    T.Queues.push_back({Device, Context, Stream, StreamFlag::Unknown});
  return It->second;
}

void TimelineBuilder::setFlag(uint32_t Device, uint32_t Context,
                              uint32_t Stream, StreamFlag Flag) {
  T.Queues[queue(Device, Context, Stream)].Flag = Flag;
}

uint32_t TimelineBuilder::addStage(const Stage &S) {
  T.Stages.push_back(S);
  return T.Stages.size() - 1;
}

uint32_t TimelineBuilder::site(uint64_t Id) {
  auto [It, New] = SiteIndex.try_emplace(Id, uint32_t(T.Sites.size()));
  if (New) {
    T.Sites.emplace_back();
    T.Sites.back().Id = Id;
  }
  return It->second;
}

uint64_t autoprof::trace::userRangeId(StringRef Domain, StringRef Name) {
  uint64_t Hash = 0xcbf29ce484222325; // FNV-1a
  auto Add = [&Hash](StringRef Bytes) {
    for (unsigned char Byte : Bytes)
      Hash = (Hash ^ Byte) * 0x100000001b3;
  };
  Add(Domain);
  Add(StringRef("\0", 1));
  Add(Name);
  return Hash;
}

uint32_t TimelineBuilder::userRange(uint32_t Domain, uint32_t Name) {
  auto [It, New] =
      UserRanges.try_emplace(uint64_t(Domain) << 32 | Name, T.Sites.size());
  if (New) {
    Site S;
    S.Kind = UserRangeKind.str();
    S.Function = T.Strings[Name].str();
    S.Callee = T.Strings[Domain].str();
    S.Id = userRangeId(S.Callee, S.Function);
    T.Sites.push_back(std::move(S));
  }
  return It->second;
}

uint32_t TimelineBuilder::callSite(StringRef File, uint32_t Line,
                                   StringRef Function, uint32_t Name) {
  auto [It, New] = CallSites.try_emplace(
      {File.str(), Line, Function.str(), Name}, uint32_t(T.Sites.size()));
  if (New) {
    Site S;
    S.File = File.str();
    S.Line = Line;
    S.Function = Function.str();
    S.Callee = T.Strings[Name].str();
    T.Sites.push_back(std::move(S));
  }
  return It->second;
}

/// Whether some of it is.
static bool isOutside(const Selection &S, int64_t Start, int64_t End) {
  return S.Keep && (Start < S.Keep->Start || End > S.Keep->End);
}

/// Counts the event. `Whole`: it must lie in the window as a whole.
bool TimelineBuilder::isSelected(int64_t Start, int64_t End, bool Whole,
                                 uint64_t &Outside) {
  if (Select.Keep) {
    Seen = {std::min(Seen.Start, Start), std::max(Seen.End, End)};
    const Window &W = *Select.Keep;
    if (Whole ? isOutside(Select, Start, End)
              : Start >= W.End || End <= W.Start) {
      ++Outside;
      return false;
    }
  }
  if (Kept == Select.MaxEvents) {
    ++T.Unread.EventsTooMany;
    return false;
  }
  ++Kept;
  return true;
}

void TimelineBuilder::addHost(HostKind Kind, uint32_t Thread, int64_t Start,
                              int64_t End, uint32_t Name, uint32_t Site,
                              uint64_t EventId) {
  if (End < Start) {
    ++T.Unread.EventsInvalid;
    return;
  }
  if (!isSelected(Start, End, /*Whole=*/Kind <= HostKind::Driver, HostOutside))
    return;
  HostEvents &H = T.Host;
  H.Start.push_back(Start);
  H.End.push_back(End);
  H.Name.push_back(Name);
  H.Thread.push_back(Thread);
  H.Site.push_back(Site);
  H.Kind.push_back(Kind);
  HostIds.push_back(EventId);
}

void TimelineBuilder::addOp(uint32_t Queue, uint32_t Stage, int64_t Start,
                            int64_t End, uint64_t EventId) {
  if (End < Start) {
    ++T.Unread.EventsInvalid;
    return;
  }
  if (!isSelected(Start, End, /*Whole=*/false, OpsOutside))
    return;
  GpuOps &O = T.Ops;
  O.Start.push_back(Start);
  O.End.push_back(End);
  O.Queue.push_back(Queue);
  O.Stage.push_back(Stage);
  OpIds.push_back(EventId);
}

void TimelineBuilder::addStack(StringRef Frames, uint64_t EventId) {
  Stacks.emplace_back(EventId, T.Strings.intern(Frames));
}

void TimelineBuilder::addSample(const ThreadSample &S) {
  if (!isOutside(Select, S.Time, S.Time))
    T.Samples.push_back(S);
}

void TimelineBuilder::addSync(const SyncRecord &S, uint64_t EventId) {
  if (isOutside(Select, S.Start, S.Start + S.Duration))
    return;
  T.Syncs.push_back(S);
  SyncIds.push_back(EventId);
}

void TimelineBuilder::addMemory(const MemoryEvent &M, uint64_t EventId) {
  if (isOutside(Select, M.Time, M.Time))
    return;
  T.Memory.push_back(M);
  MemoryIds.push_back(EventId);
}

void TimelineBuilder::reserve(size_t Events) {
  HostEvents &H = T.Host;
  GpuOps &O = T.Ops;
  for (auto *V : {&H.Start, &H.End, &O.Start, &O.End})
    V->reserve(Events);
  for (auto *V : {&H.Name, &H.Thread, &H.Site, &O.Queue, &O.Stage})
    V->reserve(Events);
  for (auto *V : {&HostIds, &OpIds})
    V->reserve(Events);
  H.Kind.reserve(Events);
}

namespace {

/// The order in which rows must be taken to be sorted by Key, then by Tie,
/// then as they came; empty when they are in order already, as recorders often
/// leave them.
template <typename TieLess>
std::vector<uint32_t> sortedOrder(const std::vector<int64_t> &Key,
                                  TieLess Tie) {
  struct Row {
    int64_t Key;
    uint32_t Index;
  };
  auto Before = [&Tie](const Row &A, const Row &B) {
    if (A.Key != B.Key)
      return A.Key < B.Key;
    if (Tie(A.Index, B.Index) != Tie(B.Index, A.Index))
      return Tie(A.Index, B.Index);
    return A.Index < B.Index;
  };
  bool Sorted = true;
  for (uint32_t I = 1; I < Key.size() && Sorted; ++I)
    Sorted = Before({Key[I - 1], I - 1}, {Key[I], I});
  std::vector<uint32_t> Order;
  if (Sorted)
    return Order;
  std::vector<Row> Rows(Key.size());
  for (uint32_t I = 0; I < Key.size(); ++I)
    Rows[I] = {Key[I], I};
  llvm::sort(Rows, Before);
  Order.reserve(Rows.size());
  for (const Row &R : Rows)
    Order.push_back(R.Index);
  return Order;
}

template <typename Value>
void permute(std::vector<Value> &Column, const std::vector<uint32_t> &Order) {
  std::vector<Value> Result;
  Result.reserve(Order.size());
  for (uint32_t I : Order)
    Result.push_back(Column[I]);
  Column = std::move(Result);
}

} // namespace

void TimelineBuilder::addOperator(uint32_t Thread, const OperatorRun &Run) {
  T.Threads[Thread].Operators.push_back(Run);
}

/// And tells those apart that run in another one.
void TimelineBuilder::sortOperators() {
  for (Thread &One : T.Threads) {
    auto Before = [](const OperatorRun &A, const OperatorRun &B) {
      return std::tie(A.Start, B.End) < std::tie(B.Start, A.End);
    };
    if (!llvm::is_sorted(One.Operators, Before))
      llvm::stable_sort(One.Operators, Before);
    int64_t End = std::numeric_limits<int64_t>::min();
    llvm::erase_if(One.Operators, [&](const OperatorRun &Run) {
      if (Run.Start >= End) {
        End = Run.End;
        return false;
      }
      One.Nested.push_back(Run);
      return true;
    });
  }
}

void TimelineBuilder::sortHost() {
  HostEvents &H = T.Host;
  std::vector<uint32_t> Order = sortedOrder(
      H.Start, [&H](uint32_t A, uint32_t B) { return H.End[A] > H.End[B]; });
  if (Order.empty())
    return;
  permute(H.Start, Order);
  permute(H.End, Order);
  permute(H.Name, Order);
  permute(H.Thread, Order);
  permute(H.Site, Order);
  permute(H.Kind, Order);
  permute(HostIds, Order);
}

void TimelineBuilder::sortOps() {
  GpuOps &O = T.Ops;
  std::vector<uint32_t> Order =
      sortedOrder(O.Start, [](uint32_t, uint32_t) { return false; });
  if (!Order.empty()) {
    permute(O.Start, Order);
    permute(O.End, Order);
    permute(O.Queue, Order);
    permute(O.Stage, Order);
    permute(OpIds, Order);
  }
}

/// Calls of one name with the same stack are of one site.
void TimelineBuilder::joinStacks(
    const std::function<uint32_t(uint64_t)> &CallOf) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> SiteOf;
  for (auto [Id, Frames] : Stacks) {
    uint32_t Call = CallOf(Id);
    if (Call == None)
      continue;
    auto [It, IsNew] =
        SiteOf.try_emplace({T.Host.Name[Call], Frames}, T.Sites.size());
    if (IsNew) {
      Site S;
      S.Callee = T.Strings[T.Host.Name[Call]].str();
      S.Frames = T.Strings[Frames].str();
      T.Sites.push_back(std::move(S));
    }
    T.Host.Site[Call] = It->second;
  }
  Stacks.clear();
}

void TimelineBuilder::join() {
  const HostEvents &H = T.Host;
  CallIndex Index(HostIds);
  std::vector<uint64_t>().swap(HostIds);

  // The outermost call around each call, in one pass: slices of a thread nest.
  std::vector<uint32_t> Open(T.Threads.size(), None);
  std::vector<uint32_t> Outermost(H.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    uint32_t &Outer = Open[H.Thread[I]];
    if (Outer == None || H.Start[I] >= H.End[Outer])
      Outer = I;
    Outermost[I] = Outer;
  }

  GpuOps &O = T.Ops;
  O.Launch.resize(O.size());
  T.LaunchOrder.clear();
  T.LaunchOrder.reserve(O.size());
  for (uint32_t I = 0; I < O.size(); ++I) {
    uint32_t Call = Index.find(OpIds[I]);
    O.Launch[I] = Call == None ? None : Outermost[Call];
    if (Call != None)
      T.LaunchOrder.push_back(I);
  }
  auto Before = [&O](uint32_t A, uint32_t B) {
    return std::pair(O.Launch[A], A) < std::pair(O.Launch[B], B);
  };
  if (!llvm::is_sorted(T.LaunchOrder, Before))
    llvm::sort(T.LaunchOrder, Before);
  std::vector<uint64_t>().swap(OpIds);

  for (size_t I = 0; I < T.Syncs.size(); ++I) {
    uint32_t Call = Index.find(SyncIds[I]);
    T.Syncs[I].Call = Call == None ? None : Outermost[Call];
  }
  SyncIds.clear();
  for (size_t I = 0; I < T.Memory.size(); ++I) {
    uint32_t Call = Index.find(MemoryIds[I]);
    T.Memory[I].Call = Call == None ? None : Outermost[Call];
  }
  MemoryIds.clear();
  joinStacks([&Index](uint64_t Id) { return Index.find(Id); });
  auto Earlier = [](const auto &A, const auto &B) { return A.Start < B.Start; };
  llvm::sort(T.Syncs, Earlier);
  llvm::sort(T.Overheads, Earlier);
  auto IsBefore = [](const auto &A, const auto &B) { return A.Time < B.Time; };
  llvm::stable_sort(T.Memory, IsBefore);
  llvm::stable_sort(T.Samples, IsBefore);
}

/// A copy or set without a stream argument goes to the legacy default stream.
/// That shows which stream this is if the trace does not.
void TimelineBuilder::inferFlags() {
  auto Unknown = [](const Queue &Q) { return Q.Flag == StreamFlag::Unknown; };
  if (llvm::none_of(T.Queues, Unknown))
    return;
  std::vector<bool> Legacy;
  for (uint32_t I = 0; I < T.Strings.size(); ++I) {
    StringRef Name = T.Strings[I];
    bool Transfer =
        Name.starts_with("cudaMemcpy") || Name.starts_with("cudaMemset") ||
        Name.starts_with("cuMemcpy") || Name.starts_with("cuMemset");
    Legacy.push_back(Transfer && !Name.contains("Async") &&
                     !Name.contains("Peer"));
  }
  for (uint32_t Op : T.LaunchOrder) {
    Queue &Q = T.Queues[T.Ops.Queue[Op]];
    if (Unknown(Q) && Legacy[T.Host.Name[T.Ops.Launch[Op]]])
      Q.Flag = StreamFlag::Null;
  }
}

void TimelineBuilder::collectDevices() {
  std::set<uint32_t> Known;
  for (const Device &D : T.Devices)
    Known.insert(D.Id);
  for (const Queue &Q : T.Queues)
    if (Known.insert(Q.Device).second)
      T.Devices.push_back({Q.Device, ""});
  llvm::sort(T.Devices,
             [](const Device &A, const Device &B) { return A.Id < B.Id; });
}

std::string Timeline::plan() const {
  const std::string Of = Recorded.EndsWithRead ? "the part that was read"
                         : Part                ? "--window=" + Part->Asked
                                               : std::string();
  if (Of.empty() || Recorded.Plan.empty())
    return Recorded.Plan + Of;
  return Recorded.Plan + "; of that " + Of;
}

int64_t Windows::missing(int64_t From, int64_t To) const {
  if (!Limited || To <= From)
    return 0;
  int64_t Covered = 0;
  for (const Window &W : List)
    Covered +=
        std::max<int64_t>(0, std::min(To, W.End) - std::max(From, W.Start));
  return To - From - Covered;
}

/// Cuts sites and ranges that reach beyond the window: not at the edge itself
/// but a nanosecond beyond it, so that none of them looks complete. Sorted by
/// their own times they nest as before.
void TimelineBuilder::cutEdges() {
  HostEvents &H = T.Host;
  const int64_t From = Select.Keep->Start - 1, To = Select.Keep->End + 1;
  for (size_t I = 0; I < H.size(); ++I) {
    H.Start[I] = std::max(H.Start[I], From);
    H.End[I] = std::min(H.End[I], To);
  }
  llvm::erase_if(T.Overheads, [this](const Overhead &O) {
    return isOutside(Select, O.Start, O.End);
  });
  for (Thread &One : T.Threads) {
    for (std::vector<OperatorRun> *Runs : {&One.Operators, &One.Nested})
      llvm::erase_if(*Runs, [=](const OperatorRun &O) {
        return O.End <= From || O.Start >= To;
      });
    llvm::erase_if(One.Memory, [=](const TensorMemory &M) {
      return M.Time < From || M.Time >= To;
    });
    llvm::erase_if(One.Links, [=](const WorkLink &L) {
      return L.Time < From || L.Time >= To;
    });
  }
}

/// What is outside of the window is as if it had not been recorded.
void TimelineBuilder::describePart() {
  const Window Kept = *Select.Keep;
  Windows &W = T.Recorded;
  if (!W.Limited)
    W.List = {Kept};
  W.Limited = true;
  for (Window &One : W.List)
    One = {std::max(One.Start, Kept.Start), std::min(One.End, Kept.End)};
  llvm::erase_if(W.List,
                 [](const Window &One) { return One.End <= One.Start; });
  if (Seen.Start > Seen.End)
    Seen = {0, 0};
  T.Part = Cut{"", Kept, Seen, HostOutside, OpsOutside};
}

/// What a ring has dropped is not recorded, whatever the windows were.
void TimelineBuilder::clipWindows() {
  Windows &W = T.Recorded;
  if (!W.KeptFrom)
    return;
  if (!W.Limited)
    W.List = {{0, std::numeric_limits<int64_t>::max()}};
  W.Limited = true;
  llvm::erase_if(W.List,
                 [&](const Window &One) { return One.End <= W.KeptFrom; });
  for (Window &One : W.List)
    One.Start = std::max(One.Start, W.KeptFrom);
}

void TimelineBuilder::findSpan() {
  T.First = std::numeric_limits<int64_t>::max();
  T.Last = std::numeric_limits<int64_t>::min();
  auto Cover = [this](const std::vector<int64_t> &Start,
                      const std::vector<int64_t> &End) {
    if (Start.empty())
      return;
    T.First = std::min(T.First, Start.front());
    T.Last = std::max(T.Last, *std::max_element(End.begin(), End.end()));
  };
  Cover(T.Host.Start, T.Host.End);
  Cover(T.Ops.Start, T.Ops.End);
  if (T.First > T.Last)
    T.First = T.Last = 0;
}

Timeline TimelineBuilder::finish() {
  sortHost();
  sortOperators();
  joinNumberedRanges(T);
  if (Select.Keep)
    cutEdges();
  sortOps();
  join();
  inferFlags();
  collectDevices();
  findSpan();
  clipWindows();
  if (Select.Keep)
    describePart();
  Timeline Result = std::move(T);
  *this = TimelineBuilder();
  return Result;
}

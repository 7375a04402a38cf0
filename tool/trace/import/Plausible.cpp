// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/import/Plausible.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace autoprof::trace;

namespace {

/// By which clocks and records may differ, ns.
constexpr int64_t Margin = 1'000'000;
constexpr int64_t TenSeconds = 10'000'000'000, Day = 86'400'000'000'000;

/// A row of the host's or an operation, by its place in a line.
struct InLine {
  int64_t Order, Start, End;
  size_t Row;
};

/// The start or the end of a row that lies outside of the bulk.
struct Point {
  int64_t Distance;
  size_t Row;
  bool IsOp;
  bool isSame(const Point &B) const { return Row == B.Row && IsOp == B.IsOp; }
};

class Judge {
  Collected &C;
  std::vector<bool> BadHost, BadOps;
  int64_t Low = 0, High = 0; ///< The middle half of the rows, by their starts.

  bool findMiddle();
  /// About the length of the trace.
  int64_t length() const { return 2 * (High - Low); }
  void judgeLine(std::vector<InLine> &Line, std::vector<bool> &Bad) const;
  void judgeStreams();
  void judgeThreads();
  void judgeSide(std::vector<Point> &Side, bool IsLater, int64_t Near,
                 bool NeedsPartner);
  void judgeDistance(int64_t Least, bool NeedsPartner);
  bool hasPartnerIn(int64_t From, int64_t To, const Point &P) const;
  uint64_t remove();

public:
  explicit Judge(Collected &C)
      : C(C), BadHost(C.Host.size()), BadOps(C.Ops.size()) {}
  uint64_t run();
};

/// Of a sample; whether there are enough.
bool Judge::findMiddle() {
  constexpr size_t Sample = 20'000, Fewest = 4;
  const size_t All = C.Host.size() + C.Ops.size(), Each = All / Sample + 1;
  std::vector<int64_t> Starts;
  for (size_t I = 0; I < All; I += Each)
    Starts.push_back(I < C.Host.size() ? C.Host[I].Start
                                       : C.Ops[I - C.Host.size()].Start);
  if (Starts.size() < Fewest)
    return false;
  llvm::sort(Starts);
  Low = Starts[Starts.size() / 4];
  High = Starts[Starts.size() - 1 - Starts.size() / 4];
  return true;
}

/// Rows that end after two which come later in the line; after one is enough if
/// the row is longer than the trace.
void Judge::judgeLine(std::vector<InLine> &Line, std::vector<bool> &Bad) const {
  auto Before = [](const InLine &A, const InLine &B) {
    return A.Order < B.Order;
  };
  if (!llvm::is_sorted(Line, Before))
    llvm::stable_sort(Line, Before);
  std::vector<size_t> Found;
  int64_t First = std::numeric_limits<int64_t>::max(), Second = First;
  for (size_t End = Line.size(), Begin; End > 0; End = Begin) {
    // Those of one launch have no order among them.
    for (Begin = End - 1; Begin && Line[Begin - 1].Order == Line[Begin].Order;)
      --Begin;
    const int64_t After[] = {Second, First};
    for (size_t I = Begin; I < End; ++I) {
      const InLine &One = Line[I];
      if (One.End - Margin > After[One.End - One.Start > length()]) {
        Found.push_back(One.Row);
        continue;
      }
      Second = std::min(Second, std::max(First, One.End));
      First = std::min(First, One.End);
    }
  }
  if (Found.size() <= std::max<size_t>(1, Line.size() / 100))
    for (size_t Row : Found)
      Bad[Row] = true;
}

/// The numbers of calls rise.
void Judge::judgeStreams() {
  std::vector<std::vector<InLine>> Lines(C.Builder.T.Queues.size());
  for (size_t I = 0; I < C.Ops.size(); ++I)
    if (const OpRow &R = C.Ops[I]; R.Id)
      Lines[R.Queue].push_back({int64_t(R.Id), R.Start, R.End, I});
  for (std::vector<InLine> &Line : Lines)
    judgeLine(Line, BadOps);
}

/// Calls of the driver may lie in those of the runtime.
void Judge::judgeThreads() {
  std::map<std::pair<uint32_t, HostRole>, std::vector<InLine>> Lines;
  for (size_t I = 0; I < C.Host.size(); ++I)
    if (const HostRow &R = C.Host[I]; R.isCall())
      Lines[{R.Thread, R.Role}].push_back({R.Start, R.Start, R.End, I});
  for (auto &[Key, Line] : Lines)
    judgeLine(Line, BadHost);
}

/// Whether the call of the operation, or an operation of the call, began then.
bool Judge::hasPartnerIn(int64_t From, int64_t To, const Point &P) const {
  const uint64_t Id = P.IsOp ? C.Ops[P.Row].Id : C.Host[P.Row].Id;
  auto Is = [&](const auto &R) {
    return R.Id == Id && R.Start >= From && R.Start <= To;
  };
  if (!Id)
    return false;
  return P.IsOp ? llvm::any_of(
                      C.Host,
                      [&](const HostRow &R) { return R.isCall() && Is(R); })
                : llvm::any_of(C.Ops, Is);
}

/// Groups of points with a pause of more than `Near` in front of them.
void Judge::judgeSide(std::vector<Point> &Side, bool IsLater, int64_t Near,
                      bool NeedsPartner) {
  llvm::sort(Side, [](const Point &A, const Point &B) {
    return A.Distance < B.Distance;
  });
  int64_t Last = 0;
  bool IsJoined = true; ///< To the bulk.
  for (size_t Begin = 0, End; Begin < Side.size(); Begin = End) {
    IsJoined &= Side[Begin].Distance - Last <= Near;
    End = Begin;
    do
      Last = Side[End++].Distance;
    while (End < Side.size() && Side[End].Distance - Last <= Near);
    if (IsJoined)
      continue;
    const Point &P = Side[Begin];
    const bool IsFar = P.Distance > std::max(Day, Near);
    const bool IsOne =
        llvm::all_of(llvm::ArrayRef(Side).slice(Begin, End - Begin),
                     [&P](const Point &Other) { return Other.isSame(P); });
    const bool IsWork = P.IsOp || C.Host[P.Row].isCall();
    // A long call may lead to the others, but none leads away from them.
    bool IsAlone = IsOne && IsLater && !NeedsPartner &&
                   (IsWork || C.Host[P.Row].Role == HostRole::Operator);
    if (End - Begin == 2) // Both its start and its end.
      IsAlone = IsOne && IsWork &&
                (!NeedsPartner || hasPartnerIn(Low - Near, High + Near, P));
    if (IsFar || IsAlone)
      for (size_t I = Begin; I < End; ++I)
        (Side[I].IsOp ? BadOps : BadHost)[Side[I].Row] = true;
  }
}

void Judge::judgeDistance(int64_t Least, bool NeedsPartner) {
  const int64_t Near = std::max(Least, 10 * length());
  std::vector<Point> Earlier, Later;
  auto Add = [&](int64_t Start, int64_t End, size_t Row, bool IsOp) {
    for (int64_t Time : {Start, End}) {
      if (Time < Low - Near)
        Earlier.push_back({Low - Time, Row, IsOp});
      if (Time > High + Near)
        Later.push_back({Time - High, Row, IsOp});
    }
  };
  for (size_t I = 0; I < C.Host.size(); ++I)
    if (!BadHost[I])
      Add(C.Host[I].Start, C.Host[I].End, I, false);
  for (size_t I = 0; I < C.Ops.size(); ++I)
    if (!BadOps[I])
      Add(C.Ops[I].Start, C.Ops[I].End, I, true);
  judgeSide(Earlier, /*IsLater=*/false, Near, NeedsPartner);
  judgeSide(Later, /*IsLater=*/true, Near, NeedsPartner);
}

/// And what else reaches far beyond the rows that are left.
uint64_t Judge::remove() {
  const size_t Before = C.Host.size() + C.Ops.size() + C.Syncs.size() +
                        C.Overheads.size() + C.Memory.size();
  auto Erase = [](auto &Rows, const std::vector<bool> &Bad) {
    size_t Row = 0;
    llvm::erase_if(Rows, [&](const auto &) { return Bad[Row++]; });
  };
  Erase(C.Host, BadHost);
  Erase(C.Ops, BadOps);
  int64_t From = std::numeric_limits<int64_t>::max(),
          To = std::numeric_limits<int64_t>::min();
  auto Cover = [&](const auto &Rows) {
    for (const auto &R : Rows) {
      From = std::min(From, R.Start);
      To = std::max(To, R.End);
    }
  };
  Cover(C.Host);
  Cover(C.Ops);
  const int64_t Length = To - From;
  auto IsOutside = [&](int64_t Start, int64_t End) {
    return Start < From - Length || End > To + Length;
  };
  llvm::erase_if(C.Syncs, [&](const SyncRow &R) {
    return IsOutside(R.Record.Start, R.Record.Start + R.Record.Duration);
  });
  llvm::erase_if(C.Overheads,
                 [&](const Overhead &O) { return IsOutside(O.Start, O.End); });
  llvm::erase_if(C.Memory, [&](const MemoryRow &R) {
    return IsOutside(R.Memory.Time, R.Memory.Time);
  });
  return Before - C.Host.size() - C.Ops.size() - C.Syncs.size() -
         C.Overheads.size() - C.Memory.size();
}

uint64_t Judge::run() {
  if (!findMiddle())
    return 0;
  judgeStreams();
  judgeThreads();
  judgeDistance(TenSeconds, /*NeedsPartner=*/false);
  judgeDistance(0, /*NeedsPartner=*/true);
  return remove();
}

} // namespace

uint64_t autoprof::trace::leaveOutImpossible(Collected &C) {
  return Judge(C).run();
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/import/Collected.h"

#include "trace/import/CallPaths.h"

#include "llvm/ADT/STLExtras.h"

#include <limits>

using namespace autoprof::trace;

namespace {

int64_t firstStart(const Collected &C) {
  int64_t First = std::numeric_limits<int64_t>::max();
  for (const HostRow &R : C.Host)
    First = std::min(First, R.Start);
  for (const OpRow &R : C.Ops)
    First = std::min(First, R.Start);
  return First;
}

/// A trace is of one time: what lies a day, and ten times its length, away from
/// the rest cannot be, and one such event would make a trace of a second one of
/// fifty years. Removes these rows; how many there were.
uint64_t leaveOutImpossible(Collected &C) {
  constexpr int64_t Day = 86'400'000'000'000, Longest = 1'000 * Day;
  std::vector<int64_t> Starts;
  for (const HostRow &R : C.Host)
    Starts.push_back(R.Start);
  for (const OpRow &R : C.Ops)
    Starts.push_back(R.Start);
  const size_t Quarter = Starts.size() / 4;
  if (!Quarter)
    return 0;
  auto NthStart = [&Starts](size_t N) {
    std::nth_element(Starts.begin(), Starts.begin() + N, Starts.end());
    return Starts[N];
  };
  // The middle half takes about half of the length.
  const int64_t Low = NthStart(Quarter),
                High = NthStart(Starts.size() - 1 - Quarter),
                Near = std::max(Day, 20 * std::min(High - Low, Longest));
  uint64_t Removed = 0;
  auto IsFar = [&](int64_t Start, int64_t End) {
    const bool Is = Start < Low - Near || End > High + Near;
    Removed += Is;
    return Is;
  };
  auto IsFarRow = [&IsFar](const auto &R) { return IsFar(R.Start, R.End); };
  llvm::erase_if(C.Host, IsFarRow);
  llvm::erase_if(C.Ops, IsFarRow);
  llvm::erase_if(C.Overheads, IsFarRow);
  llvm::erase_if(C.Syncs, [&IsFar](const SyncRow &R) {
    return IsFar(R.Record.Start, R.Record.Start + R.Record.Duration);
  });
  llvm::erase_if(C.Memory, [&IsFar](const MemoryRow &R) {
    return IsFar(R.Memory.Time, R.Memory.Time);
  });
  return Removed;
}

/// Frees the rows that were handed on.
template <typename Row> void drop(std::vector<Row> &Rows) {
  std::vector<Row>().swap(Rows);
}

void addMemory(Collected &C, int64_t Zero) {
  std::vector<Thread> &Threads = C.Builder.T.Threads;
  for (MemoryRow &R : C.Memory) {
    R.Memory.Time -= Zero;
    Threads[R.Thread].Memory.push_back(R.Memory);
  }
  drop(C.Memory);
  for (Thread &T : Threads)
    llvm::stable_sort(T.Memory,
                      [](const TensorMemory &A, const TensorMemory &B) {
                        return A.Time < B.Time;
                      });
}

/// Joins the ends of the arrows; of several with one number, the first.
void addLinks(Collected &C, int64_t Zero) {
  llvm::stable_sort(C.Forward, [](const FlowRow &A, const FlowRow &B) {
    return A.Id < B.Id;
  });
  std::vector<Thread> &Threads = C.Builder.T.Threads;
  for (const FlowRow &R : C.Backward) {
    auto It =
        llvm::lower_bound(C.Forward, R.Id, [](const FlowRow &F, int64_t Id) {
          return F.Id < Id;
        });
    if (It != C.Forward.end() && It->Id == R.Id && It->Thread != R.Thread)
      Threads[R.Thread].Links.push_back({R.Time - Zero, It->Thread});
  }
  for (Thread &T : Threads)
    llvm::stable_sort(T.Links, [](const WorkLink &A, const WorkLink &B) {
      return A.Time < B.Time;
    });
  drop(C.Forward);
  drop(C.Backward);
}

} // namespace

Timeline Collected::finish() {
  if (!IsOwn)
    Builder.T.Unread.EventsInvalid += leaveOutImpossible(*this);
  const int64_t Zero = IsOwn ? 0 : firstStart(*this);
  if (Epoch)
    Builder.T.Info.Epoch = *Epoch + Zero;
  Builder.reserve(std::max(Host.size(), Ops.size()));
  for (const OpRow &R : Ops)
    Builder.addOp(R.Queue, R.Stage, R.Start - Zero, R.End - Zero, R.Id);
  drop(Ops);
  for (SyncRow &R : Syncs) {
    R.Record.Start -= Zero;
    Builder.addSync(R.Record, R.Id);
  }
  drop(Syncs);
  for (Overhead &O : Overheads) {
    O.Start -= Zero;
    O.End -= Zero;
  }
  Builder.T.Overheads = std::move(Overheads);
  for (HostRow &R : Host) {
    R.Start -= Zero;
    R.End -= Zero;
  }
  addHostRows(Builder, Host, /*KeepOperators=*/!IsOwn);
  drop(Host);
  addMemory(*this, Zero);
  addLinks(*this, Zero);
  return Builder.finish();
}

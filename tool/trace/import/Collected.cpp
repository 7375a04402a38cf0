// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/import/Collected.h"

#include "trace/import/CallPaths.h"
#include "trace/import/Plausible.h"

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
  Builder.T.Unread.EventsInvalid += leaveOutImpossible(*this);
  const int64_t Zero = firstStart(*this);
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
  addHostRows(Builder, Host);
  drop(Host);
  addMemory(*this, Zero);
  addLinks(*this, Zero);
  return Builder.finish();
}

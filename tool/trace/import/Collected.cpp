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

/// Frees the rows that were handed on.
template <typename Row> void drop(std::vector<Row> &Rows) {
  std::vector<Row>().swap(Rows);
}

} // namespace

Timeline Collected::finish() {
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
  addHostRows(Builder, Host);
  drop(Host);
  return Builder.finish();
}

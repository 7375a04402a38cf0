// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepWork.h"

#include "catalogue/Catalogue.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using trace::HostEvents;
using trace::None;
using trace::Timeline;

std::vector<uint32_t> analysis::lastOps(const Timeline &T,
                                        llvm::ArrayRef<trace::Window> Runs,
                                        const std::vector<bool> &Works) {
  const HostEvents &H = T.Host;
  std::vector<uint32_t> Result(Runs.size(), None);
  size_t Step = 0;
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Launch = T.Ops.Launch[Op];
    if (!Works[H.Thread[Launch]])
      continue;
    while (Step < Runs.size() && Runs[Step].End <= H.Start[Launch])
      ++Step;
    if (Step == Runs.size())
      break;
    uint32_t &Last = Result[Step];
    if (H.Start[Launch] >= Runs[Step].Start &&
        (Last == None || T.Ops.End[Op] > T.Ops.End[Last]))
      Last = Op;
  }
  return Result;
}

/// Whether the call may put work onto the GPU, recorded or not.
static bool mayLaunch(llvm::StringRef Call) {
  using catalogue::CallClass;
  const catalogue::Row *Row = catalogue::lookup(Call);
  return Row &&
         llvm::is_contained(
             {CallClass::Launch, CallClass::Copy, CallClass::Set}, Row->Class);
}

static bool isEmpty(const Timeline &T, const trace::Window &Run,
                    const std::vector<bool> &Works) {
  const HostEvents &H = T.Host;
  const auto First =
      std::lower_bound(H.Start.begin(), H.Start.end(), Run.Start);
  for (size_t I = size_t(First - H.Start.begin());
       I < H.size() && H.Start[I] < Run.End; ++I)
    if (Works[H.Thread[I]] && H.Kind[I] == trace::HostKind::Api &&
        mayLaunch(T.Strings[H.Name[I]]))
      return false;
  return true;
}

size_t analysis::dropEmptyRuns(const Timeline &T,
                               std::vector<trace::Window> &Runs,
                               const std::vector<bool> &Works) {
  const std::vector<uint32_t> Ops = lastOps(T, Runs, Works);
  std::vector<trace::Window> Kept;
  for (size_t I = 0; I < Runs.size(); ++I)
    if (Ops[I] != None || !isEmpty(T, Runs[I], Works))
      Kept.push_back(Runs[I]);
  const size_t Empty = Runs.size() - Kept.size();
  if (10 * Empty >= Runs.size())
    return 0;
  Runs = std::move(Kept);
  return Empty;
}

// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/Profile.h"

#include "analysis/common/Statistics.h"
#include "analysis/common/WorkOwners.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;
using trace::None;
using trace::Timeline;

std::vector<CallRow>
autoprof::analysis::sumCalls(const Timeline &T,
                             const std::vector<Wait> &Waits) {
  const HostEvents &H = T.Host;
  std::vector<CallRow> Rows(T.Strings.size());
  std::vector<llvm::SmallVector<uint32_t, 4>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    int64_t Ns = H.End[I] - H.Start[I];
    CallRow &Row = Rows[H.Name[I]];
    ++Row.Count;
    Row.Total += Ns;
    Row.Self += Ns;
    auto &Stack = Open[H.Thread[I]];
    while (!Stack.empty() && H.End[Stack.back()] <= H.Start[I])
      Stack.pop_back();
    if (!Stack.empty())
      Rows[H.Name[Stack.back()]].Self -= Ns;
    Stack.push_back(I);
  }
  for (const Wait &W : Waits)
    Rows[H.Name[W.Call]].Wait += W.length();

  std::vector<CallRow> Result;
  for (uint32_t I = 0; I < Rows.size(); ++I) {
    if (!Rows[I].Count)
      continue;
    Rows[I].Name = T.Strings[I].str();
    Result.push_back(std::move(Rows[I]));
  }
  llvm::sort(Result, [](const CallRow &A, const CallRow &B) {
    return std::tie(B.Total, A.Name) < std::tie(A.Total, B.Name);
  });
  return Result;
}

std::vector<RangeRow>
autoprof::analysis::sumRanges(const Timeline &T, const trace::Window &Steps) {
  const HostEvents &H = T.Host;
  const LaunchedWork Work(T);
  std::map<uint32_t, RangeRow> Rows; // By site.
  std::map<uint32_t, std::vector<int64_t>> Lengths;
  std::vector<llvm::SmallVector<uint32_t, 8>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    const uint32_t Site = H.Site[I];
    if (H.Kind[I] != trace::HostKind::Range || Site == None)
      continue;
    auto &Stack = Open[H.Thread[I]];
    while (!Stack.empty() && H.End[Stack.back()] <= H.Start[I])
      Stack.pop_back();
    const int64_t Ns = H.End[I] - H.Start[I], Gpu = Work.in(I);
    RangeRow &Row = Rows[Site];
    Row.Site = Site;
    // The names of events still have the number.
    Row.Name = T.Sites[Site].isUserRange() ? T.Sites[Site].Function
                                           : T.Strings[H.Name[I]].str();
    ++Row.Count;
    Row.Self += Ns;
    Row.GpuSelf += Gpu;
    Lengths[Site].push_back(Ns);
    if (llvm::none_of(Stack,
                      [&](uint32_t Outer) { return H.Site[Outer] == Site; })) {
      Row.Total += Ns;
      Row.Gpu += Gpu;
    }
    if (Steps.Start <= H.Start[I] && H.Start[I] < Steps.End) {
      ++Row.StepCount;
      Row.StepTotal += Ns;
    }
    if (!Stack.empty()) {
      RangeRow &Outer = Rows[H.Site[Stack.back()]];
      Outer.Self -= Ns;
      Outer.GpuSelf -= Gpu;
    }
    Stack.push_back(I);
  }
  std::vector<RangeRow> Result;
  for (auto &[Site, Row] : Rows) {
    Row.Median = median(std::move(Lengths[Site]));
    Result.push_back(std::move(Row));
  }
  llvm::sort(Result, [](const RangeRow &A, const RangeRow &B) {
    return std::tie(B.Total, A.Site) < std::tie(A.Total, B.Site);
  });
  return Result;
}

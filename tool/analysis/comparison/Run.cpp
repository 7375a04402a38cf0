// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Run.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

std::vector<RangeInSteps> rangesInSteps(const Timeline &T, const Result &R) {
  std::map<uint32_t, RangeInSteps> Found;
  const trace::HostEvents &H = T.Host;
  for (uint32_t I = 0; R.InSteps && I < H.size(); ++I) {
    if (H.Kind[I] != HostKind::Range || H.Site[I] == None ||
        (R.Steps.Site && T.Sites[H.Site[I]].Id == R.Steps.Site) ||
        H.Start[I] < R.InSteps->Host.Start || H.Start[I] >= R.InSteps->Host.End)
      continue;
    RangeInSteps &Range = Found[H.Site[I]];
    Range.Site = H.Site[I];
    ++Range.Count;
    Range.Time += H.End[I] - H.Start[I];
  }
  std::vector<RangeInSteps> Result;
  for (const auto &[Site, Range] : Found)
    Result.push_back(Range);
  return Result;
}

/// What takes a row for each event of the trace.
void dropTimelines(Result &R) {
  R.Waits = {};
  R.Stalls = {};
  R.Causes = {};
  for (DeviceActivity &D : R.Devices)
    D.Gaps = D.Unknown = {};
  if (R.InSteps)
    R.InSteps->WaitOf = R.InSteps->ExposedOf = {};
}

} // namespace

RunSummary autoprof::analysis::summarise(llvm::StringRef Path,
                                         const Timeline &T, const Result &R) {
  RunSummary S;
  S.Path = Path.str();
  S.Info = T.Info;
  for (const trace::Device &D : T.Devices)
    S.Devices.push_back(D.Name);
  S.R = R;
  S.Table = T.Sites;
  S.Ranges = rangesInSteps(T, R);
  S.FileBytes = T.Unread.FileBytes;
  // Other recorders do not say how the program ended.
  S.CutOff =
      T.isCutOff() && (T.Info.Source.Producer.empty() || T.Unread.BytesDropped);
  S.Limited = T.Recorded.Limited;
  dropTimelines(S.R);
  return S;
}
